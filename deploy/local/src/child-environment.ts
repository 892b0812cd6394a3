/** What a child inherits: where things are, the language and zone, and the way out. Settings and secrets are given by name. */
const INHERITED =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TZ|LANG|LC_.*|TMPDIR|TERM|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_USE_ENV_PROXY|SSL_CERT_(FILE|DIR)|(HTTPS?|NO|ALL)_PROXY)$/i;

/** The environment of a child: the machine's part of ours, and `settings` without those that are undefined. */
export const childEnvironment = (settings: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    [...Object.entries(process.env).filter(([name]) => INHERITED.test(name)), ...Object.entries(settings)].filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
