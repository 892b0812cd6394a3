import { compareValues } from '../bson/compare.ts';
import { encodeKey } from '../bson/key-encoding.ts';
import { isTruthy } from '../bson/values.ts';
import { locationError, notSupported } from '../errors.ts';
import { eager, isNullish } from './arguments.ts';
import type { CompileOperator, Compiler } from './expression-types.ts';

const ANY: readonly [number, number] = [0, Number.POSITIVE_INFINITY];

/** The distinct values of an array, in order of first appearance, by their encoding. */
function toSet(value: unknown, name: string, { compareStrings }: Compiler): Map<string, unknown> {
  if (!Array.isArray(value)) throw locationError(17040, `All operands of ${name} must be arrays`);
  if (compareStrings) throw notSupported(`${name} under a collation`);
  const set = new Map<string, unknown>();
  for (const item of value) {
    const key = encodeKey(item).toString('latin1');
    if (!set.has(key)) set.set(key, item);
  }
  return set;
}

const sorted = (values: Iterable<unknown>): unknown[] => [...values].sort((a, b) => compareValues(a, b));

/** An operator of sets, null where one of them is null or missing. */
const setOperator = (
  name: string,
  arity: number | readonly [number, number],
  apply: (sets: Map<string, unknown>[]) => unknown,
): CompileOperator =>
  eager(name, arity, (values, compiler) =>
    values.some(isNullish) ? null : apply(values.map((value) => toSet(value, name, compiler))),
  );

const isSubset = (a: Map<string, unknown>, b: Map<string, unknown>): boolean =>
  [...a.keys()].every((key) => b.has(key));

/** Arrays as sets. */
export const SET_OPERATORS: Record<string, CompileOperator> = {
  $setUnion: setOperator('$setUnion', ANY, (sets) =>
    sorted(new Map(sets.flatMap((set) => [...set]).reverse()).values()),
  ),
  $setIntersection: setOperator('$setIntersection', ANY, ([first, ...others]) => {
    if (!first) return [];
    return sorted([...first].filter(([key]) => others.every((set) => set.has(key))).map(([, value]) => value));
  }),
  $setDifference: setOperator('$setDifference', 2, ([a, b]) =>
    [...a!].filter(([key]) => !b!.has(key)).map(([, value]) => value),
  ),
  $setEquals: eager('$setEquals', [2, ANY[1]], (values, compiler) => {
    const [first, ...others] = values.map((value) => toSet(value, '$setEquals', compiler));
    return others.every((set) => isSubset(first!, set) && isSubset(set, first!));
  }),
  $setIsSubset: eager('$setIsSubset', 2, (values, compiler) => {
    const [a, b] = values.map((value) => toSet(value, '$setIsSubset', compiler));
    return isSubset(a!, b!);
  }),
  $anyElementTrue: eager('$anyElementTrue', 1, ([value], compiler) =>
    [...toSet(value, '$anyElementTrue', compiler).values()].some(isTruthy),
  ),
  $allElementsTrue: eager('$allElementsTrue', 1, ([value], compiler) =>
    [...toSet(value, '$allElementsTrue', compiler).values()].every(isTruthy),
  ),
};
