import { BSONRegExp, Int32 } from 'bson';
import { type Doc, fromInteger, isNumber, toNumber } from '../bson/values.ts';
import { locationError } from '../errors.ts';
import { compileRegExp } from '../query/regular-expression.ts';
import { eager, isNullish, named } from './arguments.ts';
import type { CompileOperator } from './expression-types.ts';
import { toText } from './type-operators.ts';

function requireText(value: unknown, name: string, code: number): string {
  if (typeof value !== 'string') throw locationError(code, `${name} requires a string argument`);
  return value;
}

/** MongoDB changes the case of ASCII letters only. */
const changeCase = (name: string, pattern: RegExp, change: (letter: string) => string): CompileOperator =>
  eager(name, 1, ([value]) => (isNullish(value) ? '' : toText(value).replace(pattern, change)));
const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const SPACES = [...'\0\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'];

const trim = (name: string, left: boolean, right: boolean): CompileOperator =>
  named(name, ['input'], ['chars'], ({ input, chars }) => (scope) => {
    const text = input(scope);
    const given = chars?.(scope);
    if (isNullish(text) || (chars && isNullish(given))) return null;
    const characters = [...requireText(text, name, 50699)];
    const cut = new Set(chars ? requireText(given, name, 50700) : SPACES);
    let from = 0;
    let to = characters.length;
    while (left && from < to && cut.has(characters[from]!)) from++;
    while (right && to > from && cut.has(characters[to - 1]!)) to--;
    return characters.slice(from, to).join('');
  });

function wholeNumber(value: unknown, name: string): number {
  const number = isNumber(value) ? Math.trunc(toNumber(value)) : Number.NaN;
  if (Number.isNaN(number)) throw locationError(16034, `${name}: the second and third argument must be numeric`);
  return number;
}

/** Bytes of UTF-8; a position inside a character is an error. */
const substringBytes = (name: string): CompileOperator =>
  eager(name, 3, ([value, start, length]) => {
    const bytes = Buffer.from(isNullish(value) ? '' : toText(value));
    const from = wholeNumber(start, name);
    const count = wholeNumber(length, name);
    if (from < 0) throw locationError(50752, `${name}: starting index must be non-negative (got: ${from})`);
    const to = count < 0 ? bytes.length : Math.min(from + count, bytes.length);
    for (const at of [from, to]) {
      if ((bytes[at] ?? 0) >> 6 === 0b10)
        throw locationError(28656, `${name}: Invalid range, starting or ending index is a UTF-8 continuation byte.`);
    }
    return bytes.toString('utf8', Math.min(from, bytes.length), to);
  });

const indexOf = (name: string, split: (text: string) => string[] | number[]): CompileOperator =>
  eager(name, [2, 4], ([text, part, start = new Int32(0), end]) => {
    if (isNullish(text)) return null;
    const units = split(requireText(text, name, 40091));
    const wanted = split(requireText(part, name, 40092));
    const from = wholeNumber(start, name);
    const to = end === undefined ? units.length : Math.min(wholeNumber(end, name), units.length);
    if (from < 0) throw locationError(40097, `${name} requires a nonnegative start index, found: ${from}`);
    for (let at = from; at + wanted.length <= to; at++) {
      if (wanted.every((unit, i) => unit === units[at + i])) return fromInteger(at);
    }
    return new Int32(-1);
  });

interface RegExpMatch {
  match: string;
  /** In code points. */
  position: number;
  captures: (string | null)[];
}

function readRegExp(pattern: unknown, options: unknown): RegExp | null {
  if (isNullish(pattern)) return null;
  if (pattern instanceof BSONRegExp)
    return compileRegExp(pattern.pattern, pattern.options || (typeof options === 'string' ? options : ''));
  return compileRegExp(requireText(pattern, '$regex', 51105), typeof options === 'string' ? options : '');
}

function* findAll(text: string, regExp: RegExp): Generator<RegExpMatch> {
  for (const found of text.matchAll(new RegExp(regExp, `${regExp.flags}g`))) {
    const captures = found.slice(1).map((capture) => capture ?? null);
    yield { match: found[0], position: [...text.slice(0, found.index)].length, captures };
  }
}

const toDocument = ({ match, position, captures }: RegExpMatch): Doc => ({
  match,
  idx: fromInteger(position),
  captures,
});

const regExpOperator = (
  name: string,
  none: unknown,
  pick: (matches: Iterable<RegExpMatch>) => unknown,
): CompileOperator =>
  named(name, ['input', 'regex'], ['options'], ({ input, regex, options }) => (scope) => {
    const text = input(scope);
    const regExp = readRegExp(regex(scope), options?.(scope));
    if (isNullish(text) || !regExp) return none;
    return pick(findAll(requireText(text, name, 51104), regExp));
  });

/** Strings, as far as their values are not mingo's to compute. */
export const STRING_OPERATORS: Record<string, CompileOperator> = {
  $toLower: changeCase('$toLower', /[A-Z]/g, (letter) => letter.toLowerCase()),
  $toUpper: changeCase('$toUpper', /[a-z]/g, (letter) => letter.toUpperCase()),
  $strcasecmp: eager('$strcasecmp', 2, (values) => {
    const [a, b] = values.map((value) => Buffer.from(lower(isNullish(value) ? '' : toText(value))));
    return new Int32(Buffer.compare(a!, b!));
  }),
  $trim: trim('$trim', true, true),
  $ltrim: trim('$ltrim', true, false),
  $rtrim: trim('$rtrim', false, true),
  $strLenBytes: eager('$strLenBytes', 1, ([text]) =>
    fromInteger(Buffer.byteLength(requireText(text, '$strLenBytes', 34473))),
  ),
  $substr: substringBytes('$substr'),
  $substrBytes: substringBytes('$substrBytes'),
  $indexOfCP: indexOf('$indexOfCP', (text) => [...text]),
  $indexOfBytes: indexOf('$indexOfBytes', (text) => [...Buffer.from(text)]),
  $regexMatch: regExpOperator('$regexMatch', false, (matches) => [...matches].length > 0),
  $regexFind: regExpOperator('$regexFind', null, (matches) => {
    for (const match of matches) return toDocument(match);
    return null;
  }),
  $regexFindAll: regExpOperator('$regexFindAll', [], (matches) => [...matches].map(toDocument)),
};
