import { BSONRegExp } from 'bson';
import { compareValues, equalValues } from '../bson/compare.ts';
import { isNumber, TYPES, toBsonRegExp, toNumber, typeOf } from '../bson/values.ts';
import { locationError, mongoError, notSupported } from '../errors.ts';
import { MISSING } from './paths.ts';

/** PCRE syntax that JavaScript interprets differently or not at all. */
const FOREIGN =
  /\\[AzZGQEKhHRXNaeC]|\\[pP](?!\{)|\[\[:|\(\?(?:[>|#&PR\d+^]|-?[a-z]+\))|(?:[*+?]|\{\d+(?:,\d*)?\})\+|\(\*|\\g|\\x\{/;

/**
 * Compiles a pattern to a JavaScript regular expression that matches like MongoDB's (PCRE, UTF-8).
 * @throws {CommandError} 51091 for an invalid pattern, CommandNotSupported for unsupported syntax
 */
function compileRegExp(pattern: string, options: string): RegExp {
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

/** Unicode mode counts characters like PCRE, but rejects needless escapes such as `\-`. Such patterns are compiled without it. */
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

/** Outside character classes: `$` also matches before a final newline, and `.` excludes only the newline. */
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

/** Tests one value at the end of a path. */
export type ValueTest = (value: unknown) => boolean;

/** Tests for equality. Null also equals a missing field. */
export function equals(operand: unknown): ValueTest {
  if (operand === null) return (value) => value === null || value === MISSING || value === undefined;
  return (value) => value !== MISSING && equalValues(value, operand);
}

/** Tests strings against a regular expression. A stored regular expression matches if it is the same. */
export function matchesRegExp(operand: BSONRegExp): ValueTest {
  const compiled = compileRegExp(operand.pattern, operand.options);
  return (value) =>
    typeof value === 'string' ? compiled.test(value) : value instanceof BSONRegExp && equalValues(value, operand);
}

type MakeTest = (operand: unknown) => ValueTest;

/** Range operators match only values of the operand's own type, except for MinKey and MaxKey. NaN equals only itself. */
function comparison(accepts: (difference: number) => boolean): MakeTest {
  return (operand) => {
    if (toBsonRegExp(operand)) throw mongoError('BadValue', "Can't have RegEx as arg to predicate over field.");
    const { order } = typeOf(operand);
    if (order === TYPES.null.order) return accepts(0) ? equals(null) : () => false;
    if (isNotANumber(operand)) return accepts(0) ? isNotANumber : () => false;
    const crossesTypes = order === TYPES.minKey.order || order === TYPES.maxKey.order;
    return (value) => {
      if (value === MISSING) return false;
      if (!crossesTypes && (typeOf(value).order !== order || isNotANumber(value))) return false;
      return accepts(compareValues(value, operand));
    };
  };
}

function isNotANumber(value: unknown): boolean {
  return isNumber(value) && Number.isNaN(toNumber(value));
}

/** Operators that compare the operand with each value at a path, and with each element of an array there. */
export const COMPARISONS: Record<string, MakeTest> = {
  $eq: (operand) => {
    const regExp = toBsonRegExp(operand);
    return regExp ? (value) => value !== MISSING && equalValues(value, regExp) : equals(operand);
  },
  $gt: comparison((difference) => difference > 0),
  $gte: comparison((difference) => difference >= 0),
  $lt: comparison((difference) => difference < 0),
  $lte: comparison((difference) => difference <= 0),
};
