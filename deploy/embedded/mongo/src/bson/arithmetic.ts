import { Decimal128, Double, Int32, Long } from 'bson';
import { type BsonNumber, toNumber } from './values.ts';

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const INT32 = { min: -(2n ** 31n), max: 2n ** 31n - 1n };

/** Adds in the wider type of the two: decimal, double, int64, int32. An int32 grows to an int64, an int64 to a double. */
export function add(a: BsonNumber, b: BsonNumber): BsonNumber {
  if (a instanceof Decimal128 || b instanceof Decimal128) return addDecimals(a, b);
  if (a instanceof Double || b instanceof Double) return new Double(toNumber(a) + toNumber(b));
  const sum = toBigInt(a) + toBigInt(b);
  const isNarrow = a instanceof Int32 && b instanceof Int32 && sum >= INT32.min && sum <= INT32.max;
  if (isNarrow) return new Int32(Number(sum));
  return sum >= INT64.min && sum <= INT64.max ? Long.fromBigInt(sum) : new Double(Number(sum));
}

function toBigInt(value: Int32 | Long): bigint {
  return value instanceof Long ? value.toBigInt() : BigInt(value.value);
}

interface Scaled {
  coefficient: bigint;
  exponent: number;
}

function addDecimals(a: BsonNumber, b: BsonNumber): Decimal128 {
  const left = toScaled(a);
  const right = toScaled(b);
  // NaN and the infinities have the same names in JavaScript and Decimal128.
  if (!left || !right) return Decimal128.fromString(String(toNumber(a) + toNumber(b)));
  const exponent = Math.min(left.exponent, right.exponent);
  const align = (value: Scaled): bigint => value.coefficient * 10n ** BigInt(value.exponent - exponent);
  return Decimal128.fromStringWithRounding(`${align(left) + align(right)}E${exponent}`);
}

/** A finite number exactly as coefficient × 10^exponent, a double by its shortest decimal form. Undefined for NaN and infinities. */
function toScaled(value: BsonNumber): Scaled | undefined {
  const text = value instanceof Double ? String(value.value) : value.toString();
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  return { coefficient: BigInt(sign + whole + fraction), exponent: Number(exponent) - fraction.length };
}
