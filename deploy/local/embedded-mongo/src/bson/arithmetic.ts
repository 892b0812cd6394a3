import { Decimal128, Double, Int32, Long } from 'bson';
import { mongoError } from '../errors.ts';
import { type BsonNumber, toNumber } from './values.ts';

const INT64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };
const INT32 = { least: -(2n ** 31n), most: 2n ** 31n - 1n };

/** The three operations whose result type MongoDB derives from both operands. */
export type Operation = 'add' | 'subtract' | 'multiply';

const WHOLE: Record<Operation, (a: bigint, b: bigint) => bigint> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
};
const FLOATING: Record<Operation, (a: number, b: number) => number> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
};

/** What happens to whole numbers beyond 64 bits: an expression becomes a double, an update is refused. */
export type OnOverflow = 'double' | 'refuse';

/**
 * Calculates in the wider type of the two: decimal, double, int64, int32; int32 grows to int64 where it must.
 * Throws BadValue where an int64 overflows and that is to be refused.
 */
export function calculate(
  operation: Operation,
  a: BsonNumber,
  b: BsonNumber,
  onOverflow: OnOverflow = 'double',
): BsonNumber {
  if (a instanceof Decimal128 || b instanceof Decimal128) return calculateDecimal(operation, a, b);
  if (a instanceof Double || b instanceof Double) return new Double(FLOATING[operation](toNumber(a), toNumber(b)));
  const whole = WHOLE[operation](toBigInt(a), toBigInt(b));
  const isNarrow = a instanceof Int32 && b instanceof Int32 && whole >= INT32.least && whole <= INT32.most;
  if (isNarrow) return new Int32(Number(whole));
  if (whole >= INT64.least && whole <= INT64.most) return Long.fromBigInt(whole);
  if (onOverflow === 'double') return new Double(Number(whole));
  throw mongoError('BadValue', `Failed to apply the operation: the result ${whole} does not fit in 64 bits`);
}

/** An int32 or int64 as a bigint. */
export function toBigInt(value: BsonNumber): bigint {
  return value instanceof Long ? value.toBigInt() : BigInt(toNumber(value));
}

interface Scaled {
  coefficient: bigint;
  exponent: number;
}

function calculateDecimal(operation: Operation, a: BsonNumber, b: BsonNumber): Decimal128 {
  const left = toScaled(a);
  const right = toScaled(b);
  if (!left || !right) return Decimal128.fromString(decimalName(FLOATING[operation](toNumber(a), toNumber(b))));
  if (operation === 'multiply') return fromScaled(left.coefficient * right.coefficient, left.exponent + right.exponent);
  const exponent = Math.min(left.exponent, right.exponent);
  const align = (value: Scaled): bigint => value.coefficient * 10n ** BigInt(value.exponent - exponent);
  return fromScaled(WHOLE[operation](align(left), align(right)), exponent);
}

/** A finite number exactly as coefficient × 10^exponent; a double by its shortest decimal form. Undefined for NaN and infinities. */
function toScaled(value: BsonNumber): Scaled | undefined {
  const text = value instanceof Double ? String(value.value) : value.toString();
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  return { coefficient: BigInt(sign + whole + fraction), exponent: Number(exponent) - fraction.length };
}

const fromScaled = (coefficient: bigint, exponent: number): Decimal128 =>
  Decimal128.fromStringWithRounding(`${coefficient}E${exponent}`);

const decimalName = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
