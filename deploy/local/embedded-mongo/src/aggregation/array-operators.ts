import { Int32 } from 'bson';
import { compareValues } from '../bson/compare.ts';
import { typeOf } from '../bson/types.ts';
import { type Doc, fromInteger, isDoc, isNumber, isTruthy, setField, toNumber } from '../bson/values.ts';
import { locationError } from '../errors.ts';
import { readSort, sortBy } from '../query/sort.ts';
import { eager, isNullish, named } from './arguments.ts';
import type { CompileOperator, Evaluate, Scope } from './expression-types.ts';

function requireArray(value: unknown, name: string, code: number): unknown[] {
  if (!Array.isArray(value))
    throw locationError(
      code,
      `${name}'s argument must be an array, but is ${value === undefined ? 'missing' : typeOf(value).alias}`,
    );
  return value;
}

function requireWhole(value: unknown, name: string, code: number): number {
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!Number.isInteger(number)) throw locationError(code, `${name} requires a 32-bit integer argument`);
  return number;
}

const element = (name: string, at: (array: unknown[]) => unknown): CompileOperator =>
  eager(name, 1, ([value]) => (isNullish(value) ? null : at(requireArray(value, name, 28689))));

const slice = eager('$slice', [2, 3], ([value, first, count]) => {
  if (isNullish(value) || isNullish(first) || count === null) return null;
  const array = requireArray(value, '$slice', 28724);
  const from = requireWhole(first, '$slice', 28725);
  if (count === undefined) return from < 0 ? array.slice(from) : array.slice(0, from);
  const most = requireWhole(count, '$slice', 28727);
  if (most <= 0) throw locationError(28729, 'Third argument to $slice must be positive');
  const start = from < 0 ? Math.max(array.length + from, 0) : from;
  return array.slice(start, start + most);
});

/** Runs a body for each element, with the element bound to a variable. */
const overElements = (
  name: string,
  build: (each: (item: unknown) => unknown, array: unknown[], scope: Scope) => unknown,
  body: 'cond' | 'in',
  optional: readonly string[],
): CompileOperator => {
  return (argument, compiler) => {
    if (!isDoc(argument) || !('input' in argument) || !(body in argument))
      throw locationError(28648, `${name} needs 'input' and '${body}'`);
    const unknown = Object.keys(argument).find((key) => !['input', 'as', body, ...optional].includes(key));
    if (unknown) throw locationError(28647, `Unrecognized parameter to ${name}: ${unknown}`);
    const variable = argument.as === undefined ? 'this' : String(argument.as);
    const input = compiler.compile(argument.input);
    const evaluate = compiler.bind([variable]).compile(argument[body]);
    const limit = 'limit' in argument ? compiler.compile(argument.limit) : undefined;
    return (scope) => {
      const array = input(scope);
      if (isNullish(array)) return null;
      const each = (item: unknown): unknown =>
        evaluate({ ...scope, variables: { ...scope.variables, [variable]: item } });
      const most = limit?.(scope);
      const result = build(each, requireArray(array, name, 28651), scope);
      return isNullish(most) ? result : (result as unknown[]).slice(0, requireWhole(most, name, 327391));
    };
  };
};

const reduce: CompileOperator = (argument, { compile, bind }) => {
  if (!isDoc(argument)) throw locationError(40075, '$reduce requires an object as an argument');
  const lacking = ['input', 'initialValue', 'in'].find((key) => !(key in argument));
  if (lacking) throw locationError(40077, `$reduce requires '${lacking}' to be specified`);
  const input = compile(argument.input);
  const initial = compile(argument.initialValue);
  const body = bind(['value', 'this']).compile(argument.in);
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    const step = (value: unknown, item: unknown): unknown =>
      body({ ...scope, variables: { ...scope.variables, value, this: item } });
    return requireArray(array, '$reduce', 40080).reduce(step, initial(scope));
  };
};

const indexOfArray = eager(
  '$indexOfArray',
  [2, 4],
  ([value, wanted, start = new Int32(0), end], { compareStrings }) => {
    if (isNullish(value)) return null;
    const array = requireArray(value, '$indexOfArray', 40090);
    const from = requireWhole(start, '$indexOfArray', 40096);
    const to = end === undefined ? array.length : requireWhole(end, '$indexOfArray', 40096);
    const found = array.slice(from, to).findIndex((item) => compareValues(item, wanted, compareStrings) === 0);
    return fromInteger(found < 0 ? -1 : found + from);
  },
);

const range = eager('$range', [2, 3], ([start, end, step = new Int32(1)]) => {
  const [from, to, by] = [start, end, step].map((value) => requireWhole(value, '$range', 34443)) as [
    number,
    number,
    number,
  ];
  if (by === 0) throw locationError(34449, '$range requires a non-zero step value');
  const count = Math.max(0, Math.ceil((to - from) / by));
  return Array.from({ length: count }, (_, i) => new Int32(from + i * by));
});

const zip = named(
  '$zip',
  ['inputs'],
  ['useLongestLength', 'defaults'],
  ({ inputs, useLongestLength, defaults }) =>
    (scope) => {
      const arrays = requireArray(inputs(scope), '$zip', 34461);
      if (arrays.some(isNullish)) return null;
      const lists = arrays.map((array) => requireArray(array, '$zip', 34468));
      const longest = isTruthy(useLongestLength?.(scope));
      const fallback = defaults ? requireArray(defaults(scope), '$zip', 34462) : [];
      const lengths = lists.map((list) => list.length);
      const length = longest ? Math.max(...lengths) : Math.min(...lengths);
      return Array.from({ length }, (_, at) =>
        lists.map((list, i) => (at < list.length ? list[at] : (fallback[i] ?? null))),
      );
    },
);

function toPair(item: unknown): [string, unknown] {
  if (Array.isArray(item) && item.length === 2 && typeof item[0] === 'string') return [item[0], item[1]];
  if (isDoc(item) && typeof item.k === 'string' && 'v' in item) return [item.k, item.v];
  throw locationError(40386, '$arrayToObject requires an array of key-value pairs');
}

const sortArray: CompileOperator = (argument, { compile, compareStrings }) => {
  if (!isDoc(argument) || !('input' in argument) || !('sortBy' in argument))
    throw locationError(2942502, "$sortArray requires 'input' and 'sortBy'");
  const input: Evaluate = compile(argument.input);
  const order = argument.sortBy;
  const fields = isNumber(order) ? [] : readSort(order);
  return (scope) => {
    const value = input(scope);
    if (isNullish(value)) return null;
    const array = requireArray(value, '$sortArray', 2942504);
    if (isNumber(order)) return [...array].sort((a, b) => compareValues(a, b, compareStrings) * toNumber(order));
    return sortBy(array, fields, (item) => ({ doc: isDoc(item) ? item : {}, sizeBytes: 0 }), { compareStrings });
  };
};

/** Arrays, and documents as arrays of pairs. */
export const ARRAY_OPERATORS: Record<string, CompileOperator> = {
  $size: eager('$size', 1, ([value]) => fromInteger(requireArray(value, '$size', 17124).length)),
  $isArray: eager('$isArray', 1, ([value]) => Array.isArray(value)),
  $arrayElemAt: eager('$arrayElemAt', 2, ([value, at]) => {
    if (isNullish(value) || isNullish(at)) return null;
    return requireArray(value, '$arrayElemAt', 28689).at(requireWhole(at, '$arrayElemAt', 28691));
  }),
  $first: element('$first', (array) => array[0]),
  $last: element('$last', (array) => array.at(-1)),
  $slice: slice,
  $concatArrays: eager('$concatArrays', [0, Number.POSITIVE_INFINITY], (values) =>
    values.some(isNullish) ? null : values.flatMap((value) => requireArray(value, '$concatArrays', 28664)),
  ),
  $in: eager('$in', 2, ([wanted, array], { compareStrings }) =>
    requireArray(array, '$in', 40081).some(
      (item) => wanted !== undefined && compareValues(item, wanted, compareStrings) === 0,
    ),
  ),
  $indexOfArray: indexOfArray,
  $filter: overElements('$filter', (each, array) => array.filter((item) => isTruthy(each(item))), 'cond', ['limit']),
  $map: overElements('$map', (each, array) => array.map((item) => each(item) ?? null), 'in', []),
  $reduce: reduce,
  $reverseArray: eager('$reverseArray', 1, ([value]) =>
    isNullish(value) ? null : [...requireArray(value, '$reverseArray', 34435)].reverse(),
  ),
  $range: range,
  $zip: zip,
  $sortArray: sortArray,
  $arrayToObject: eager('$arrayToObject', 1, ([value]) => {
    if (isNullish(value)) return null;
    const result: Doc = {};
    for (const item of requireArray(value, '$arrayToObject', 40386)) setField(result, ...toPair(item));
    return result;
  }),
  $objectToArray: eager('$objectToArray', 1, ([value]) => {
    if (isNullish(value)) return null;
    if (!isDoc(value))
      throw locationError(40390, `$objectToArray requires a document input, found: ${typeOf(value).alias}`);
    return Object.entries(value).map(([k, v]) => ({ k, v }));
  }),
};
