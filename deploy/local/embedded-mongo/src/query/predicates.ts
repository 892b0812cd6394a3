import { Binary, BSONRegExp, Long } from 'bson';
import { type CompareStrings, compareValues, equalValues } from '../bson/compare.ts';
import { TYPES, typeOf } from '../bson/types.ts';
import { isNumber, toBsonRegExp, toNumber } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import { MISSING } from './paths.ts';
import { compileRegExp } from './regular-expression.ts';

/** Judges one value that a path reaches. */
export type ValueTest = (value: unknown) => boolean;

/** What a predicate may depend on besides its operand. */
export interface PredicateContext {
  compareStrings?: CompareStrings | undefined;
}

/** Makes a test of an operand; throws where MongoDB refuses it. */
type MakeTest = (operand: unknown, context: PredicateContext) => ValueTest;

/** Equality: null is also a missing field, a regular expression matches text, and itself. */
export const equals: MakeTest = (operand, { compareStrings }) => {
  if (operand === null) return (value) => value === null || value === MISSING || value === undefined;
  return (value) => value !== MISSING && equalValues(value, operand, compareStrings);
};

/** A regular expression as an operand. */
export function matchesRegExp(operand: BSONRegExp): ValueTest {
  const compiled = compileRegExp(operand.pattern, operand.options);
  return (value) =>
    typeof value === 'string' ? compiled.test(value) : value instanceof BSONRegExp && equalValues(value, operand);
}

/** Order comparisons see only values of the operand's own type, but for MinKey and MaxKey; NaN is only equal to itself. */
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

const isNotANumber = (value: unknown): boolean => isNumber(value) && Number.isNaN(toNumber(value));

const modulo: MakeTest = (operand) => {
  if (!Array.isArray(operand)) throw mongoError('BadValue', 'malformed mod, needs to be an array');
  if (operand.length !== 2) {
    throw mongoError('BadValue', `malformed mod, ${operand.length < 2 ? 'not enough' : 'too many'} elements`);
  }
  const [divisor, remainder] = operand.map((part) => {
    if (!isNumber(part) || !Number.isFinite(toNumber(part)))
      throw mongoError('BadValue', 'malformed mod, operand not a number');
    return toBigInt(part);
  }) as [bigint, bigint];
  if (divisor === 0n) throw mongoError('BadValue', 'divisor cannot be 0');
  return (value) => isNumber(value) && Number.isFinite(toNumber(value)) && toBigInt(value) % divisor === remainder;
};

const toBigInt = (value: Parameters<typeof toNumber>[0]): bigint =>
  value instanceof Long ? value.toBigInt() : BigInt(Math.trunc(toNumber(value)));

const ALIASES = new Map<string | number, (value: unknown) => boolean>(
  Object.values(TYPES).flatMap((type) => {
    const test = (value: unknown): boolean => value !== MISSING && typeOf(value) === type;
    return [
      [type.alias, test],
      [type.number, test],
    ] as [string | number, typeof test][];
  }),
);
ALIASES.set('number', isNumber);

const hasType: MakeTest = (operand) => {
  const tests = (Array.isArray(operand) ? operand : [operand]).map((name: unknown) => {
    const test = ALIASES.get(isNumber(name) ? toNumber(name) : String(name));
    if (!test) {
      throw mongoError(
        'BadValue',
        isNumber(name) ? `Invalid numerical type code: ${name}` : `Unknown type name alias: ${String(name)}`,
      );
    }
    return test;
  });
  if (tests.length === 0) throw mongoError('FailedToParse', '$type must match at least one type');
  return (value) => tests.some((test) => test(value));
};

/** Bits by mask: of whole numbers, and of binary data from its first byte's lowest bit. */
function bitTest(accepts: (isSet: (position: bigint) => boolean, positions: bigint[]) => boolean): MakeTest {
  return (operand) => {
    const positions = readPositions(operand);
    return (value) => {
      if (value instanceof Binary) {
        const bytes = value.value();
        return accepts((at) => Boolean((bytes[Number(at >> 3n)] ?? 0) & (1 << Number(at & 7n))), positions);
      }
      if (!isNumber(value)) return false;
      const number = toNumber(value);
      if (!Number.isInteger(number) || Math.abs(number) > 2 ** 63) return false;
      const bits = value instanceof Long ? value.toBigInt() : BigInt(number);
      return accepts((at) => ((bits >> (at > 63n ? 63n : at)) & 1n) === 1n, positions);
    };
  };
}

function readPositions(operand: unknown): bigint[] {
  if (Array.isArray(operand)) {
    return operand.map((position) => {
      const at = isNumber(position) ? toNumber(position) : -1;
      if (!Number.isInteger(at) || at < 0) throw mongoError('BadValue', 'bit positions must be integers >= 0');
      return BigInt(at);
    });
  }
  if (operand instanceof Binary) {
    return [...operand.value()].flatMap((byte, i) =>
      [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => byte & (1 << bit)).map((bit) => BigInt(i * 8 + bit)),
    );
  }
  const mask = isNumber(operand) ? toNumber(operand) : -1;
  if (!isNumber(operand) || !Number.isInteger(mask) || mask < 0) {
    throw mongoError(
      'FailedToParse',
      'a bit mask must be a non-negative whole number, an array of positions or BinData',
    );
  }
  const bits = toBigInt(operand);
  return Array.from({ length: 64 }, (_, i) => BigInt(i)).filter((at) => (bits >> at) & 1n);
}

/** Operators that judge each value at a path (and each element of an array there) by itself. */
export const VALUE_OPERATORS: Record<string, MakeTest> = {
  $eq: (operand, context) => {
    const regExp = toBsonRegExp(operand);
    return regExp ? (value) => value !== MISSING && equalValues(value, regExp) : equals(operand, context);
  },
  $gt: comparison((difference) => difference > 0),
  $gte: comparison((difference) => difference >= 0),
  $lt: comparison((difference) => difference < 0),
  $lte: comparison((difference) => difference <= 0),
  $mod: modulo,
  $type: hasType,
  $bitsAllSet: bitTest((isSet, positions) => positions.every(isSet)),
  $bitsAnySet: bitTest((isSet, positions) => positions.some(isSet)),
  $bitsAllClear: bitTest((isSet, positions) => !positions.some(isSet)),
  $bitsAnyClear: bitTest((isSet, positions) => !positions.every(isSet)),
};
