import { Decimal128, Long } from 'bson';
import { type BsonNumber, toNumber } from './values.ts';

/**
 * An order-preserving encoding of numbers of all four types, the same for equal values. The first eight bytes are the
 * greatest double that is not above the number. If they differ, the remainder follows, as a decimal fraction of the
 * distance to the next double. It lies in (0, 1), so its digits compare as text.
 */
export function encodeNumber(value: BsonNumber): Buffer {
  if (value instanceof Long && !isSafe(value)) return encodeExact(BigInt(value.toString()), 0);
  if (value instanceof Decimal128) return encodeDecimal(value);
  return encodeDouble(toNumber(value), EXACT);
}

const EXACT = Buffer.from([0]);
const isSafe = (value: Long): boolean => Number.isSafeInteger(value.toNumber());

function encodeDouble(value: number, rest: Uint8Array): Buffer {
  const bytes = Buffer.alloc(8 + rest.length);
  bytes.set(rest, 8);
  if (Number.isNaN(value)) return bytes;
  bytes.writeDoubleBE(value === 0 ? 0 : value, 0);
  if (bytes[0]! & 0x80) for (let i = 0; i < 8; i++) bytes[i] = ~bytes[i]! & 0xff;
  else bytes[0] = bytes[0]! | 0x80;
  return bytes;
}

function encodeDecimal(value: Decimal128): Buffer {
  const text = value.toString();
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]\d+))?$/.exec(text);
  if (!match) return encodeDouble(Number(text), EXACT);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  return encodeExact(BigInt(sign + whole + fraction), Number(exponent) - fraction.length);
}

/** Encodes `coefficient × 10^exponent`. */
function encodeExact(coefficient: bigint, exponent: number): Buffer {
  if (coefficient === 0n) return encodeDouble(0, EXACT);
  const numerator = exponent > 0 ? coefficient * 10n ** BigInt(exponent) : coefficient;
  const denominator = exponent < 0 ? 10n ** BigInt(-exponent) : 1n;
  const nearest = Number(`${coefficient}e${exponent}`);
  if (!Number.isFinite(nearest) || isBeyondDoubles(numerator, denominator)) return encodeHuge(coefficient, exponent);
  const floor = compareToDouble(numerator, denominator, nearest) < 0 ? previousDouble(nearest) : nearest;
  const [floorNumerator, floorPower] = exactDouble(floor);
  const [ulpNumerator, ulpPower] = exactDouble(ulp(floor));
  // (value − floor) / ulp, with both as integers over a power of two.
  const power = BigInt(-Math.min(floorPower, 0));
  const scaledFloor = floorNumerator << BigInt(Math.max(floorPower, 0));
  let top = (numerator << power) - scaledFloor * denominator;
  if (top === 0n) return encodeDouble(floor, EXACT);
  let bottom = (denominator * ulpNumerator) << power;
  if (ulpPower < 0) top <<= BigInt(-ulpPower);
  else bottom <<= BigInt(ulpPower);
  return encodeDouble(floor, Buffer.from(`\u0001${decimalDigits(top, bottom)}\0`, 'latin1'));
}

const isBeyondDoubles = (numerator: bigint, denominator: bigint): boolean =>
  compareToDouble(numerator < 0n ? -numerator : numerator, denominator, Number.MAX_VALUE) > 0;

/** A number beyond the greatest double sorts by its exponent, then its digits. */
function encodeHuge(coefficient: bigint, exponent: number): Buffer {
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString();
  const magnitude = digits.length + exponent;
  const rest = Buffer.from(`\u0002${String(magnitude).padStart(5, '0')}${digits.replace(/0+$/, '')}\0`, 'latin1');
  if (coefficient > 0n) return encodeDouble(Number.MAX_VALUE, rest);
  return encodeDouble(
    Number.NEGATIVE_INFINITY,
    rest.map((byte) => 0xfe - byte),
  );
}

const bits = new DataView(new ArrayBuffer(8));

/** A finite double as `numerator × 2^power`. */
function exactDouble(value: number): [numerator: bigint, power: number] {
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const exponent = Number((raw >> 52n) & 0x7ffn);
  const mantissa = raw & 0xfffffffffffffn;
  const magnitude = exponent === 0 ? mantissa : mantissa | 0x10000000000000n;
  return [value < 0 ? -magnitude : magnitude, Math.max(exponent, 1) - 1075];
}

/** The distance from a double to the next one up. */
function ulp(value: number): number {
  return nextDouble(value) - value;
}

function nextDouble(value: number): number {
  return value < 0 ? -shiftMagnitude(-value, -1n) : shiftMagnitude(value, 1n);
}

function previousDouble(value: number): number {
  return value > 0 ? shiftMagnitude(value, -1n) : -shiftMagnitude(-value, 1n);
}

function shiftMagnitude(magnitude: number, by: bigint): number {
  bits.setFloat64(0, magnitude);
  bits.setBigUint64(0, (bits.getBigUint64(0) & 0x7fffffffffffffffn) + by);
  return bits.getFloat64(0);
}

function compareToDouble(numerator: bigint, denominator: bigint, double: number): number {
  const [mantissa, power] = exactDouble(double);
  const left = power < 0 ? numerator << BigInt(-power) : numerator;
  const right = denominator * (power < 0 ? mantissa : mantissa << BigInt(power));
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The digits after the decimal point of a fraction in (0, 1) with a finite expansion. */
function decimalDigits(top: bigint, bottom: bigint): string {
  let digits = '';
  let rest = top;
  while (rest !== 0n) {
    rest *= 1000000n;
    digits += (rest / bottom).toString().padStart(6, '0');
    rest %= bottom;
  }
  return digits.replace(/0+$/, '');
}
