import { Decimal128, Long } from 'bson';
import { notSupported } from '../errors.ts';
import { type BsonNumber, toNumber } from './values.ts';

/**
 * An order-preserving encoding of int32, int64 and double, identical for equal values: the greatest double that is not
 * above the number, and for an int64 that no double represents, the distance to it.
 * @throws {CommandError} CommandNotSupported for a Decimal128
 */
export function encodeNumber(value: BsonNumber): Buffer {
  if (value instanceof Decimal128) throw notSupported('Comparing, sorting or indexing a Decimal128');
  const nearest = toNumber(value);
  if (!(value instanceof Long) || Number.isSafeInteger(nearest)) return encodeDouble(nearest, EXACT);
  const exact = value.toBigInt();
  const floor = BigInt(nearest) > exact ? previousDouble(nearest) : nearest;
  const distance = Number(exact - BigInt(floor));
  return encodeDouble(floor, distance === 0 ? EXACT : Buffer.from([1, distance >> 8, distance & 0xff]));
}

const EXACT = Buffer.from([0]);

function encodeDouble(value: number, rest: Uint8Array): Buffer {
  const bytes = Buffer.alloc(8 + rest.length);
  bytes.set(rest, 8);
  if (Number.isNaN(value)) return bytes;
  bytes.writeDoubleBE(value === 0 ? 0 : value, 0);
  if (bytes[0]! & 0x80) for (let i = 0; i < 8; i++) bytes[i] = ~bytes[i]! & 0xff;
  else bytes[0] = bytes[0]! | 0x80;
  return bytes;
}

const bits = new DataView(new ArrayBuffer(8));

function previousDouble(value: number): number {
  bits.setFloat64(0, value);
  bits.setBigUint64(0, bits.getBigUint64(0) + (value > 0 ? -1n : 1n));
  return bits.getFloat64(0);
}
