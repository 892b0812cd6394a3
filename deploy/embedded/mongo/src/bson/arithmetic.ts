import { Decimal128, Double, Int32, Long } from 'bson';
import { notSupported } from '../errors.ts';
import { type BsonNumber, toNumber } from './values.ts';

/**
 * Adds in the wider type of the two: double, int64, int32. An int32 grows to an int64, an int64 to a double.
 * @throws {CommandError} CommandNotSupported for a Decimal128
 */
export function add(a: BsonNumber, b: BsonNumber): BsonNumber {
  if (a instanceof Decimal128 || b instanceof Decimal128) throw notSupported('Adding a Decimal128');
  if (a instanceof Double || b instanceof Double) return new Double(toNumber(a) + toNumber(b));
  const sum = toBigInt(a) + toBigInt(b);
  if (a instanceof Int32 && b instanceof Int32 && BigInt.asIntN(32, sum) === sum) return new Int32(Number(sum));
  return BigInt.asIntN(64, sum) === sum ? Long.fromBigInt(sum) : new Double(Number(sum));
}

function toBigInt(value: Int32 | Long): bigint {
  return value instanceof Long ? value.toBigInt() : BigInt(value.value);
}
