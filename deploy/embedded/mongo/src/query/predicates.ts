import { BSONRegExp } from 'bson';
import type { ExpressionContext } from '../aggregation/expression-types.ts';
import { compareValues, equalValues } from '../bson/compare.ts';
import { TYPES, typeOf } from '../bson/types.ts';
import { isNumber, toBsonRegExp, toNumber } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import { MISSING } from './paths.ts';
import { compileRegExp } from './regular-expression.ts';

/** Tests one value that a path reaches. */
export type ValueTest = (value: unknown) => boolean;

/** Tests for equality. Null also equals a missing field. */
export function equals(operand: unknown, { compareStrings }: ExpressionContext): ValueTest {
  if (operand === null) return (value) => value === null || value === MISSING || value === undefined;
  return (value) => value !== MISSING && equalValues(value, operand, compareStrings);
}

/** Tests strings against a regular expression. A stored regular expression matches if it is the same. */
export function matchesRegExp(operand: BSONRegExp): ValueTest {
  const compiled = compileRegExp(operand.pattern, operand.options);
  return (value) =>
    typeof value === 'string' ? compiled.test(value) : value instanceof BSONRegExp && equalValues(value, operand);
}

type MakeTest = (operand: unknown, context: ExpressionContext) => ValueTest;

/** Order comparisons see only values of the operand's own type, except for MinKey and MaxKey. NaN equals only itself. */
function comparison(accepts: (difference: number) => boolean): MakeTest {
  return (operand, { compareStrings }) => {
    if (toBsonRegExp(operand)) throw mongoError('BadValue', "Can't have RegEx as arg to predicate over field.");
    const { order } = typeOf(operand);
    if (order === TYPES.null.order) return accepts(0) ? equals(null, {}) : () => false;
    if (isNotANumber(operand)) return accepts(0) ? isNotANumber : () => false;
    const crossesTypes = order === TYPES.minKey.order || order === TYPES.maxKey.order;
    return (value) => {
      if (value === MISSING) return false;
      if (!crossesTypes && (typeOf(value).order !== order || isNotANumber(value))) return false;
      return accepts(compareValues(value, operand, compareStrings));
    };
  };
}

function isNotANumber(value: unknown): boolean {
  return isNumber(value) && Number.isNaN(toNumber(value));
}

/** Operators that compare each value at a path, and each element of an array there, with the operand. */
export const COMPARISONS: Record<string, MakeTest> = {
  $eq: (operand, context) => {
    const regExp = toBsonRegExp(operand);
    return regExp ? (value) => value !== MISSING && equalValues(value, regExp) : equals(operand, context);
  },
  $gt: comparison((difference) => difference > 0),
  $gte: comparison((difference) => difference >= 0),
  $lt: comparison((difference) => difference < 0),
  $lte: comparison((difference) => difference <= 0),
};
