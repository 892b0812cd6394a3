import { locationError, mongoError, notSupported } from '../errors.ts';

/** PCRE syntax that means something else in JavaScript, or nothing. */
const FOREIGN =
  /\\[AzZGQEKhHRXNaeC]|\\[pP](?!\{)|\[\[:|\(\?(?:[>|#&PR\d+^]|-?[a-z]+\))|(?:[*+?]|\{\d+(?:,\d*)?\})\+|\(\*|\\g|\\x\{/;

/**
 * Compiles a pattern to a JavaScript expression that matches as MongoDB's (PCRE, UTF-8) does.
 * @throws {CommandError} 51091 for an invalid pattern, CommandNotSupported for syntax that JavaScript lacks
 */
export function compileRegExp(pattern: string, options: string): RegExp {
  const flags = new Set(options);
  for (const flag of flags) {
    if (!'imsxu'.includes(flag)) throw locationError(51108, `invalid flag in regex options: ${flag}`);
  }
  if (flags.has('x')) throw notSupported('The regular expression option x');
  const leading = /^\(\?([ims]+)\)/.exec(pattern);
  for (const flag of leading?.[1] ?? '') flags.add(flag);
  const body = leading ? pattern.slice(leading[0].length) : pattern;
  if (body.includes('\0')) throw mongoError('BadValue', 'Regular expression cannot contain an embedded null byte');
  if (FOREIGN.test(body.replaceAll('\\\\', '')))
    throw notSupported(`The regular expression ${JSON.stringify(pattern)}`);
  return toJavaScript(
    translate(body, flags),
    `${flags.has('i') ? 'i' : ''}${flags.has('m') ? 'm' : ''}${flags.has('s') ? 's' : ''}`,
    pattern,
  );
}

/** Unicode mode counts characters as PCRE does, but rejects needless escapes such as `\-`. Those patterns are compiled without it. */
function toJavaScript(source: string, flags: string, pattern: string): RegExp {
  for (const mode of ['u', '']) {
    try {
      return new RegExp(source, flags + mode);
    } catch (error) {
      if (mode === '')
        throw locationError(51091, `Regular expression is invalid: ${pattern}: ${(error as Error).message}`);
    }
  }
  throw locationError(51091, `Regular expression is invalid: ${pattern}`);
}

/** Outside classes: `$` also matches before a final newline, and `.` excludes only the newline. */
function translate(body: string, flags: Set<string>): string {
  let inClass = false;
  return body.replace(/\\[\s\S]|[[\].$]/g, (token) => {
    if (token === '[') inClass = true;
    else if (token === ']') inClass = false;
    else if (token === '$' && !inClass && !flags.has('m')) return '(?=\\n?(?![\\s\\S]))';
    else if (token === '.' && !inClass && !flags.has('s')) return '[^\\n]';
    return token;
  });
}
