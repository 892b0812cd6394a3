/** A primary monitored by Sentinels: `redis+sentinel://user:password@host:26379,host:26379/NAME/DATABASE` in REDIS_URL. */
interface SentinelAddress {
  sentinels: { host: string; port: number }[];
  /** The Sentinels' name for the primary. */
  name: string;
  username: string | undefined;
  password: string | undefined;
  database: number;
  /** The password of the Sentinels themselves, if they need one. */
  sentinelPassword: string | undefined;
  /** True for `rediss+sentinel:`: Redis and the Sentinels use TLS. */
  usesTls: boolean;
}

const form =
  /^redis(?<tls>s?)\+sentinel:\/\/((?<user>[^:@/]*)(:(?<password>[^@/]*))?@)?(?<hosts>[^/?#@]+)\/(?<name>[\w.-]+)(\/(?<database>\d+))?(\?sentinelPassword=(?<own>[^&#]+))?$/;
const hostForm = /^(\[[\da-fA-F:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/;

/** Parses an address of Sentinels. @returns null for any other or malformed address */
export function parseSentinelUrl(url: string): SentinelAddress | null {
  const { tls, user, password, hosts, name, database, own } = form.exec(url)?.groups ?? {};
  const parsed = hosts?.split(',').map((host) => hostForm.exec(host));
  if (!name || !parsed?.every((host) => host !== null)) return null;
  const decode = (text: string | undefined) => (text ? decodeURIComponent(text) : undefined);
  if (/%(?![\da-f]{2})/i.test(url)) return null;
  return {
    sentinels: parsed.map(([, host = '', port]) => ({
      host: host.replace(/^\[|\]$/g, ''),
      port: Number(port ?? 26_379),
    })),
    name,
    username: decode(user),
    password: decode(password),
    database: Number(database ?? 0),
    sentinelPassword: decode(own),
    usesTls: tls === 's',
  };
}
