import { Binary, Decimal128, Double, Int32, Long, ObjectId } from 'bson';
import { toBigInt } from '../bson/arithmetic.ts';
import { TYPES, typeOf } from '../bson/types.ts';
import { isNumber, isTruthy, toNumber } from '../bson/values.ts';
import { CommandError, locationError } from '../errors.ts';
import { eager, isNullish, named } from './arguments.ts';
import type { CompileOperator } from './expression-types.ts';

const CONVERSION_FAILURE = 241;

function failure(value: unknown, to: string): CommandError {
  const shown = typeof value === 'string' ? `'${value}'` : typeOf(value).alias;
  return new CommandError(
    CONVERSION_FAILURE,
    'ConversionFailure',
    `Failed to convert ${shown} to ${to} in $convert with no onError value`,
  );
}

/** A value as text, the way `$toString` and the string operators see it. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Binary && value.sub_type === Binary.SUBTYPE_UUID) return value.toUUID().toString();
  if (isNumber(value)) return value instanceof Double ? doubleText(value.value) : value.toString();
  throw failure(value, 'string');
}

const doubleText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

function toDouble(value: unknown): Double {
  if (isNumber(value)) return new Double(toNumber(value));
  if (typeof value === 'boolean') return new Double(Number(value));
  if (value instanceof Date) return new Double(value.getTime());
  if (typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value))
    return new Double(Number(value));
  throw failure(value, 'double');
}

function toWhole(value: unknown, name: string, least: bigint, most: bigint): bigint {
  let whole: bigint | undefined;
  if (typeof value === 'boolean') whole = BigInt(value);
  else if (value instanceof Date && name === 'long') whole = BigInt(value.getTime());
  else if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) whole = BigInt(value);
  else if (value instanceof Int32 || (value instanceof Long && isNumber(value))) whole = toBigInt(value);
  else if (isNumber(value) && Number.isFinite(toNumber(value))) whole = BigInt(Math.trunc(toNumber(value)));
  if (whole === undefined || whole < least || whole > most) throw failure(value, name);
  return whole;
}

function toDecimal(value: unknown): Decimal128 {
  if (value instanceof Decimal128) return value;
  if (typeof value === 'boolean') return Decimal128.fromString(value ? '1' : '0');
  if (value instanceof Double)
    return Decimal128.fromStringWithRounding(
      value.value
        .toPrecision(15)
        .replace(/(\.\d*?)0+(e|$)/, '$1$2')
        .replace(/\.(e|$)/, '$1'),
    );
  if (value instanceof Date) return Decimal128.fromString(String(value.getTime()));
  if (isNumber(value)) return Decimal128.fromString(value.toString());
  if (typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value))
    return Decimal128.fromStringWithRounding(value);
  throw failure(value, 'decimal');
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** A value as a date, the way `$toDate` sees it. Throws ConversionFailure. */
export function toDate(value: unknown): Date {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Long || value instanceof Double || value instanceof Decimal128)
    return new Date(Math.trunc(toNumber(value)));
  if (typeof value === 'string' && ISO_DATE.test(value)) {
    const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(value.slice(10));
    const date = new Date(value.length === 10 || hasZone ? value : `${value}Z`);
    if (!Number.isNaN(date.getTime())) return date;
  }
  throw failure(value, 'date');
}

function toObjectId(value: unknown): ObjectId {
  if (value instanceof ObjectId) return value;
  if (typeof value === 'string' && /^[0-9a-fA-F]{24}$/.test(value)) return new ObjectId(value);
  throw failure(value, 'objectId');
}

/** Conversions by the name of the type that they give. */
const CONVERSIONS: Record<string, (value: unknown) => unknown> = {
  string: toText,
  bool: (value) => (typeof value === 'string' ? true : isTruthy(value)),
  double: toDouble,
  int: (value) => new Int32(Number(toWhole(value, 'int', -(2n ** 31n), 2n ** 31n - 1n))),
  long: (value) => Long.fromBigInt(toWhole(value, 'long', -(2n ** 63n), 2n ** 63n - 1n)),
  decimal: toDecimal,
  date: toDate,
  objectId: toObjectId,
};

const TYPE_NAMES = new Map<number, string>(Object.values(TYPES).map(({ number, alias }) => [number, alias]));

const conversion = (name: string, type: string): CompileOperator =>
  eager(name, 1, ([value]) => (isNullish(value) ? null : CONVERSIONS[type]!(value)));

const convert = named(
  '$convert',
  ['input', 'to'],
  ['onError', 'onNull'],
  ({ input, to, onError, onNull }) =>
    (scope) => {
      const value = input(scope);
      const type = to(scope);
      if (isNullish(value)) return onNull?.(scope) ?? null;
      if (isNullish(type)) return null;
      const name = isNumber(type) ? TYPE_NAMES.get(toNumber(type)) : type;
      const apply = typeof name === 'string' ? CONVERSIONS[name] : undefined;
      if (!apply) throw locationError(50999, `$convert's 'to' names no type that can be converted to: ${String(name)}`);
      try {
        return apply(value);
      } catch (error) {
        if (onError && error instanceof CommandError && error.code === CONVERSION_FAILURE) return onError(scope);
        throw error;
      }
    },
);

/** Types and conversions. */
export const TYPE_OPERATORS: Record<string, CompileOperator> = {
  $type: eager('$type', 1, ([value]) => (value === undefined ? 'missing' : typeOf(value).alias)),
  $isNumber: eager('$isNumber', 1, ([value]) => isNumber(value)),
  $convert: convert,
  $toString: conversion('$toString', 'string'),
  $toBool: conversion('$toBool', 'bool'),
  $toDouble: conversion('$toDouble', 'double'),
  $toInt: conversion('$toInt', 'int'),
  $toLong: conversion('$toLong', 'long'),
  $toDecimal: conversion('$toDecimal', 'decimal'),
  $toDate: conversion('$toDate', 'date'),
  $toObjectId: conversion('$toObjectId', 'objectId'),
};
