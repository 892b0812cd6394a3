/** Variables that every child inherits: paths, locale, time zone, Node options, proxy and tracing. Settings and secrets are passed by name. */
const INHERITED =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TZ|LANG|LC_.*|TMPDIR|TERM|NODE_OPTIONS|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|NODE_USE_ENV_PROXY|SSL_CERT_(FILE|DIR)|OTEL_\w+|(HTTPS?|NO|ALL)_PROXY)$/i;

/** The environment of a child process: the inherited variables, and the settings that are defined. */
export function childEnvironment(settings: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    [...Object.entries(process.env).filter(([name]) => INHERITED.test(name)), ...Object.entries(settings)].filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}
