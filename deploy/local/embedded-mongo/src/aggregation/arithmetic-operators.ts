import { Decimal128, Double, Int32, Long } from 'bson';
import { calculate, toBigInt } from '../bson/arithmetic.ts';
import { typeOf } from '../bson/types.ts';
import { type BsonNumber, fromInteger, isNumber, toNumber } from '../bson/values.ts';
import { locationError, notSupported } from '../errors.ts';
import { eager, isNullish } from './arguments.ts';
import type { CompileOperator } from './expression-types.ts';

const ANY: readonly [number, number] = [0, Number.POSITIVE_INFINITY];

function requireNumber(value: unknown, name: string, code: number): BsonNumber {
  if (!isNumber(value)) throw locationError(code, `${name} only supports numeric types, not ${typeOf(value).alias}`);
  return value;
}

const isWhole = (value: BsonNumber): value is Int32 | Long => value instanceof Int32 || value instanceof Long;

/** An operator of one number; null and missing give null. */
const unary = (name: string, code: number, apply: (value: BsonNumber) => BsonNumber): CompileOperator =>
  eager(name, 1, ([value]) => (isNullish(value) ? null : apply(requireNumber(value, name, code))));

function refuseDecimal(value: BsonNumber, name: string): void {
  if (value instanceof Decimal128) throw notSupported(`${name} of a Decimal128`);
}

/** An operator that works on doubles. */
const floating = (name: string, apply: (value: number) => number): CompileOperator =>
  unary(name, 28765, (value) => {
    refuseDecimal(value, name);
    return new Double(apply(toNumber(value)));
  });

/** Sums; one of the terms may be a date, to which the others are milliseconds. */
const add = eager('$add', ANY, (values) => {
  if (values.some(isNullish)) return null;
  const dates = values.filter((value) => value instanceof Date);
  if (dates.length > 1) throw locationError(16612, 'only one date allowed in an $add expression');
  const numbers = values
    .filter((value) => !(value instanceof Date))
    .map((value) => requireNumber(value, '$add', 16554));
  const sum = numbers.reduce((total, value) => calculate('add', total, value), new Int32(0) as BsonNumber);
  return dates[0] ? new Date(dates[0].getTime() + Math.round(toNumber(sum))) : sum;
});

const subtract = eager('$subtract', 2, ([a, b]) => {
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date && b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  if (a instanceof Date) return new Date(a.getTime() - Math.round(toNumber(requireNumber(b, '$subtract', 16556))));
  return calculate('subtract', requireNumber(a, '$subtract', 16556), requireNumber(b, '$subtract', 16556));
});

const divide = eager('$divide', 2, ([a, b]) => {
  if (isNullish(a) || isNullish(b)) return null;
  const [left, right] = [requireNumber(a, '$divide', 16609), requireNumber(b, '$divide', 16609)];
  refuseDecimal(left, '$divide');
  refuseDecimal(right, '$divide');
  if (toNumber(right) === 0) throw locationError(2, "can't $divide by zero");
  return new Double(toNumber(left) / toNumber(right));
});

const modulo = eager('$mod', 2, ([a, b]) => {
  if (isNullish(a) || isNullish(b)) return null;
  const [left, right] = [requireNumber(a, '$mod', 16611), requireNumber(b, '$mod', 16611)];
  refuseDecimal(left, '$mod');
  refuseDecimal(right, '$mod');
  if (toNumber(right) === 0) throw locationError(16610, "can't $mod by zero");
  if (!isWhole(left) || !isWhole(right)) return new Double(toNumber(left) % toNumber(right));
  const rest = toBigInt(left) % toBigInt(right);
  return left instanceof Int32 && right instanceof Int32 ? new Int32(Number(rest)) : Long.fromBigInt(rest);
});

const negate = (value: BsonNumber): BsonNumber =>
  calculate('subtract', value instanceof Long ? Long.ZERO : new Int32(0), value);

/** Rounds half to even at a decimal place, from the number's exact decimal form (to 34 digits, as MongoDB does). */
function roundTo(value: BsonNumber, place: number, towardsZero: boolean): BsonNumber {
  refuseDecimal(value, '$round');
  if (isWhole(value) && place >= 0) return value;
  const number = toNumber(value);
  if (!Number.isFinite(number)) return value;
  const [coefficient = '0', exponent = '0'] = Math.abs(number).toExponential(33).split('e');
  const [integer = '0', fraction = ''] = coefficient.split('.');
  const digits = BigInt(integer + fraction);
  const dropped = fraction.length - Number(exponent) - place;
  if (dropped <= 0) return value;
  const unit = 10n ** BigInt(dropped);
  const kept = digits / unit;
  const twice = (digits % unit) * 2n;
  const up = !towardsZero && (twice > unit || (twice === unit && kept % 2n === 1n));
  const rounded = Number(`${up ? kept + 1n : kept}e${-place}`) * Math.sign(number);
  return isWhole(value) ? fromInteger(rounded) : new Double(rounded);
}

const rounding = (name: string, towardsZero: boolean): CompileOperator =>
  eager(name, [1, 2], ([value, place = new Int32(0)]) => {
    if (isNullish(value) || isNullish(place)) return null;
    const at = toNumber(requireNumber(place, name, 51081));
    if (!Number.isInteger(at) || at < -20 || at > 100)
      throw locationError(51083, `cannot apply ${name} with precision value ${at} value must be in [-20, 100]`);
    return roundTo(requireNumber(value, name, 51081), at, towardsZero);
  });

const wholeStep = (name: string, step: (value: number) => number): CompileOperator =>
  unary(name, 28765, (value) => {
    refuseDecimal(value, name);
    return isWhole(value) ? value : new Double(step(toNumber(value)));
  });

const power = eager('$pow', 2, ([base, exponent]) => {
  if (isNullish(base) || isNullish(exponent)) return null;
  const [left, right] = [requireNumber(base, '$pow', 28762), requireNumber(exponent, '$pow', 28763)];
  refuseDecimal(left, '$pow');
  refuseDecimal(right, '$pow');
  const result = toNumber(left) ** toNumber(right);
  if (!isWhole(left) || !isWhole(right) || toNumber(right) < 0 || !Number.isSafeInteger(result))
    return new Double(result);
  return left instanceof Long || right instanceof Long ? Long.fromNumber(result) : fromInteger(result);
});

/** Numbers. */
export const ARITHMETIC_OPERATORS: Record<string, CompileOperator> = {
  $add: add,
  $subtract: subtract,
  $multiply: eager('$multiply', ANY, (values) => {
    if (values.some(isNullish)) return null;
    return values
      .map((value) => requireNumber(value, '$multiply', 16555))
      .reduce((product, value) => calculate('multiply', product, value), new Int32(1) as BsonNumber);
  }),
  $divide: divide,
  $mod: modulo,
  $abs: unary('$abs', 28765, (value) => (toNumber(value) < 0 ? negate(value) : value)),
  $ceil: wholeStep('$ceil', Math.ceil),
  $floor: wholeStep('$floor', Math.floor),
  $round: rounding('$round', false),
  $trunc: rounding('$trunc', true),
  $pow: power,
  $sqrt: unary('$sqrt', 28765, (value) => {
    refuseDecimal(value, '$sqrt');
    if (toNumber(value) < 0) throw locationError(28714, "$sqrt's argument must be greater than or equal to 0");
    return new Double(Math.sqrt(toNumber(value)));
  }),
  $exp: floating('$exp', Math.exp),
  $ln: floating('$ln', (value) => positive(value, '$ln', Math.log)),
  $log10: floating('$log10', (value) => positive(value, '$log10', Math.log10)),
  $log: eager('$log', 2, ([value, base]) => {
    if (isNullish(value) || isNullish(base)) return null;
    const [left, right] = [requireNumber(value, '$log', 28756), requireNumber(base, '$log', 28757)].map(toNumber) as [
      number,
      number,
    ];
    if (right === 1 || right <= 0)
      throw locationError(28759, `$log's base must be a positive number not equal to 1, but is ${right}`);
    return new Double(positive(left, '$log', Math.log) / Math.log(right));
  }),
};

function positive(value: number, name: string, apply: (value: number) => number): number {
  if (value <= 0) throw locationError(28766, `${name}'s argument must be a positive number, but is ${value}`);
  return apply(value);
}
