import { PublicSettings } from '@interview-prep/contracts/api/operations';
import { z } from 'zod';
import { parseSentinelUrl } from './redis/redis-url.ts';

// The kinds of values that settings have. Each is read from text, and says in words what is wrong with it.

export const count = z.coerce.number().int().min(0);
export const days = count.max(36_500);
export const text = z.string();
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must begin with http:// or https://' });
export const sharedSecret = text.min(32, 'must be at least 32 characters');
export const commaSeparated = text.transform((list) => list.split(',').flatMap((item) => item.trim() || []));

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The longest lifetime of an access token. Denylist entries are kept as long. */
export const maxTokenLifetimeMs = 30 * unitMs.d;

export const lifetime = text
  .regex(/^\d{1,6}[smhd]$/, "must be a number and a unit, like '30m', '12h' or '7d'")
  .transform((value) => Number(value.slice(0, -1)) * unitMs[value.slice(-1) as keyof typeof unitMs])
  .refine((ms) => ms > 0 && ms <= maxTokenLifetimeMs, 'must be more than 0 and at most 30d');

/** Buckets are addressed by path, or by host (`s3Address`), so an S3 server's address has no path of its own. */
export const s3Endpoint = z
  .url({ protocol: /^https?$/, error: 'must begin with http:// or https://', abort: true })
  .refine((url) => {
    const { pathname, search, hash, username } = new URL(url);
    return pathname === '/' && search + hash + username === '';
  }, 'must be an address without a path, such as https://s3.example.com:9000');

/** Amazon's rule for bucket names, without its reserved prefixes. */
const bucketNamePattern = /^(?!\d+\.\d+\.\d+\.\d+$)(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

const loopbackHosts = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Only a server on this machine is trusted without TLS. */
function isTrustworthy(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.test(hostname));
}

export const domain = text
  .toLowerCase()
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, 'must be domains, such as example.com');

/** A claim and the values of it that give a role: `groups:prep-admins,owners`. */
const claimValues = text
  .regex(/^[^:,\s]+:[^:]+$/, 'must be a claim and its values, as in groups:prep-admins')
  .transform((rule) => {
    const [claim = '', values = ''] = rule.split(':');
    return { claim, values: values.split(',').map((value) => value.trim()) };
  });

/** The options of the OpenID provider, as in `name=Acme; domains=example.com; admins=groups:prep-admins`. */
export const oidcOptions = text
  .transform((list, context) => {
    const pairs = list.split(';').flatMap((item) => (item.trim() === '' ? [] : [item.split(/=(.*)/s, 2)]));
    const options = new Map(pairs.map(([key = '', value = '']) => [key.trim(), value.trim()]));
    if (options.size === pairs.length && !pairs.some(([, value]) => value === undefined))
      return Object.fromEntries(options) as Partial<
        Record<'name' | 'domains' | 'admins' | 'devs' | 'scopes' | 'tenant', string | undefined>
      >;
    context.addIssue('must be options such as name=Acme; domains=example.com, each once');
    return z.NEVER;
  })
  .pipe(
    z.strictObject(
      {
        name: text.min(1).max(40, 'name must have at most 40 characters').default('single sign-on'),
        domains: commaSeparated.pipe(z.array(domain)).default([]),
        admins: claimValues.optional(),
        devs: claimValues.optional(),
        scopes: text.default(''),
        tenant: z.guid('tenant must be the id of a tenant').toLowerCase().optional(),
      },
      { error: (issue) => (issue.code === 'unrecognized_keys' ? `has no option ${issue.keys.join(', ')}` : undefined) },
    ),
  );

export const demoLogins = text
  .transform((json, context) => {
    try {
      return JSON.parse(json) as unknown;
    } catch {
      context.addIssue('must be JSON');
      return z.NEVER;
    }
  })
  .pipe(PublicSettings.shape.demoLogins);

export const mongoUri = text.regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://');

export const redisUrl = text.refine(
  (url) => /^rediss?:\/\//.test(url) || parseSentinelUrl(url) !== null,
  'must begin with redis:// or rediss://, or name Sentinels, as in redis+sentinel://user:password@host1:26379,host2:26379/mymaster',
);

export const bucketName = text.regex(bucketNamePattern, 'must be 3 to 63 lower-case letters, digits, hyphens and dots');

/** Prices of a million input and output tokens. */
export const tokenPrices = text
  .regex(/^\d+(\.\d+)?\/\d+(\.\d+)?$/, 'must be two prices, such as 0.15/0.6')
  .transform((prices) => prices.split('/').map(Number) as [promptUsd: number, completionUsd: number]);

export const tcpAddress = text.regex(
  /^(tls:\/\/)?([\w.-]+|\[[\da-fA-F:.]+\]):\d{1,5}$/,
  'must be host:port or tls://host:port',
);

export const oidcIssuer = text
  .refine(isTrustworthy, 'must be an address that begins with https://')
  .refine((issuer) => !/[?#]/.test(issuer), 'must have no query and no fragment');
