import { ObjectId, Timestamp } from 'bson';
import { type Doc, fromInteger, isDoc, isNumber, isTruthy, toNumber } from '../bson/values.ts';
import { locationError, notSupported } from '../errors.ts';
import { isNullish, named } from './arguments.ts';
import type { CompileOperator, Evaluate, Scope } from './expression-types.ts';
import {
  addUnits,
  countUnits,
  dayOfYear,
  fromLocal,
  isoDayOfWeek,
  isoWeek,
  toLocal,
  truncate,
  UNIT_MS,
  utc,
  weekday,
  weekOfYear,
  zoneOffsetMs,
} from './local-time.ts';
import { toDate } from './type-operators.ts';

function toMoment(value: unknown): Date {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.getHighBitsUnsigned() * 1000);
  throw locationError(16006, "can't convert from this type to Date");
}

/** A zone's name; null is handed on, as it makes the whole result null. */
function readZone(zone: Evaluate | undefined, scope: Scope): string | null | undefined {
  if (!zone) return undefined;
  const value = zone(scope);
  if (isNullish(value)) return null;
  if (typeof value !== 'string') throw locationError(40517, 'timezone must evaluate to a string');
  return value;
}

const PARTS: Record<string, (local: Date) => number> = {
  $year: (local) => local.getUTCFullYear(),
  $month: (local) => local.getUTCMonth() + 1,
  $dayOfMonth: (local) => local.getUTCDate(),
  $hour: (local) => local.getUTCHours(),
  $minute: (local) => local.getUTCMinutes(),
  $second: (local) => local.getUTCSeconds(),
  $millisecond: (local) => local.getUTCMilliseconds(),
  $dayOfYear: dayOfYear,
  $dayOfWeek: (local) => local.getUTCDay() + 1,
  $week: weekOfYear,
  $isoDayOfWeek: isoDayOfWeek,
  $isoWeek: (local) => isoWeek(local).week,
  $isoWeekYear: (local) => isoWeek(local).year,
};

/** A part of a date, given alone or as `{date, timezone}`. */
const part =
  (name: string, read: (local: Date) => number): CompileOperator =>
  (argument, compiler) => {
    const isNamed = isDoc(argument) && !Object.keys(argument)[0]?.startsWith('$');
    const given = isNamed
      ? argument
      : { date: Array.isArray(argument) && argument.length === 1 ? argument[0] : argument };
    return named(name, ['date'], ['timezone'], ({ date, timezone }) => (scope) => {
      const value = date(scope);
      const zone = readZone(timezone, scope);
      return isNullish(value) || zone === null ? null : fromInteger(read(toLocal(toMoment(value), zone)));
    })(given, compiler);
  };

const pad = (value: number, digits: number): string => String(value).padStart(digits, '0');
const monthName = (local: Date, month: 'short' | 'long'): string =>
  local.toLocaleString('en-US', { month, timeZone: 'UTC' });

const FORMATS: Record<string, (local: Date, offsetMs: number) => string> = {
  Y: (local) => pad(local.getUTCFullYear(), 4),
  m: (local) => pad(local.getUTCMonth() + 1, 2),
  d: (local) => pad(local.getUTCDate(), 2),
  H: (local) => pad(local.getUTCHours(), 2),
  M: (local) => pad(local.getUTCMinutes(), 2),
  S: (local) => pad(local.getUTCSeconds(), 2),
  L: (local) => pad(local.getUTCMilliseconds(), 3),
  j: (local) => pad(dayOfYear(local), 3),
  U: (local) => pad(weekOfYear(local), 2),
  w: (local) => String(local.getUTCDay() + 1),
  u: (local) => String(isoDayOfWeek(local)),
  V: (local) => pad(isoWeek(local).week, 2),
  G: (local) => pad(isoWeek(local).year, 4),
  b: (local) => monthName(local, 'short'),
  B: (local) => monthName(local, 'long'),
  z: (_local, offsetMs) => {
    const minutes = Math.abs(Math.trunc(offsetMs / UNIT_MS.minute!));
    return `${offsetMs < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60), 2)}${pad(minutes % 60, 2)}`;
  },
  Z: (_local, offsetMs) => `${offsetMs < 0 ? '-' : '+'}${Math.abs(Math.trunc(offsetMs / UNIT_MS.minute!))}`,
  '%': () => '%',
};

const dateToString = named(
  '$dateToString',
  ['date'],
  ['format', 'timezone', 'onNull'],
  ({ date, format, timezone, onNull }) =>
    (scope) => {
      const value = date(scope);
      if (isNullish(value)) return onNull ? onNull(scope) : null;
      const zone = readZone(timezone, scope);
      const pattern = format ? format(scope) : zone === undefined ? '%Y-%m-%dT%H:%M:%S.%LZ' : '%Y-%m-%dT%H:%M:%S.%L';
      if (zone === null || isNullish(pattern)) return null;
      if (typeof pattern !== 'string') throw locationError(18533, "$dateToString requires that 'format' be a string");
      const moment = toMoment(value);
      const [local, offsetMs] = [toLocal(moment, zone), zoneOffsetMs(moment, zone)];
      return pattern.replace(/%(.?)/gs, (_, letter: string) => {
        const write = Object.hasOwn(FORMATS, letter) ? FORMATS[letter] : undefined;
        if (!write) throw locationError(18536, `Invalid format character '%${letter}' in format string`);
        return write(local, offsetMs);
      });
    },
);

const dateFromString = named(
  '$dateFromString',
  ['dateString'],
  ['format', 'timezone', 'onError', 'onNull'],
  ({ dateString, format, timezone, onError, onNull }) => {
    if (format) throw notSupported("The 'format' of $dateFromString");
    return (scope) => {
      const text = dateString(scope);
      if (isNullish(text)) return onNull ? onNull(scope) : null;
      const zone = readZone(timezone, scope);
      if (zone === null) return null;
      const hasZone = typeof text === 'string' && /(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10));
      if (hasZone && zone !== undefined)
        throw locationError(
          40551,
          'you cannot pass in a date/time string with time zone information together with a timezone argument',
        );
      try {
        if (typeof text !== 'string')
          throw locationError(241, "$dateFromString requires that 'dateString' be a string");
        const parsed = toDate(text);
        return hasZone ? parsed : fromLocal(parsed, zone);
      } catch (error) {
        if (onError) return onError(scope);
        throw error;
      }
    };
  },
);

const PART_NAMES = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'] as const;

const dateFromParts = named(
  '$dateFromParts',
  ['year'],
  ['month', 'day', 'hour', 'minute', 'second', 'millisecond', 'timezone'],
  ({ timezone, ...parts }) =>
    (scope) => {
      const values = PART_NAMES.map((name) => (parts[name] ? parts[name](scope) : undefined));
      const zone = readZone(timezone, scope);
      if (zone === null || PART_NAMES.some((name, i) => parts[name] && isNullish(values[i]))) return null;
      const [year, month = 1, day = 1, hour = 0, minute = 0, second = 0, millisecond = 0] = values.map((value) => {
        if (value === undefined) return undefined;
        if (!isNumber(value) || !Number.isInteger(toNumber(value)))
          throw locationError(40515, '$dateFromParts requires whole numbers');
        return toNumber(value);
      });
      const time = hour * UNIT_MS.hour! + minute * UNIT_MS.minute! + second * UNIT_MS.second! + millisecond;
      return fromLocal(new Date(utc(year!, month - 1, day) + time), zone);
    },
);

const dateToParts = named(
  '$dateToParts',
  ['date'],
  ['timezone', 'iso8601'],
  ({ date, timezone, iso8601 }) =>
    (scope) => {
      const value = date(scope);
      const zone = readZone(timezone, scope);
      if (isNullish(value) || zone === null) return null;
      const local = toLocal(toMoment(value), zone);
      const names = isTruthy(iso8601?.(scope))
        ? { isoWeekYear: '$isoWeekYear', isoWeek: '$isoWeek', isoDayOfWeek: '$isoDayOfWeek' }
        : { year: '$year', month: '$month', day: '$dayOfMonth' };
      const all = { ...names, hour: '$hour', minute: '$minute', second: '$second', millisecond: '$millisecond' };
      const parts: Doc = {};
      for (const [key, operator] of Object.entries(all)) parts[key] = fromInteger(PARTS[operator]!(local));
      return parts;
    },
);

function requireText(value: unknown, what: string): string {
  if (typeof value !== 'string') throw locationError(5166400, `${what} must be a string`);
  return value;
}

function requireWhole(value: unknown, what: string): number {
  if (!isNumber(value) || !Number.isInteger(toNumber(value)))
    throw locationError(5166405, `${what} must be a whole number`);
  return toNumber(value);
}

const move = (name: string, sign: 1 | -1): CompileOperator =>
  named(name, ['startDate', 'unit', 'amount'], ['timezone'], ({ startDate, unit, amount, timezone }) => (scope) => {
    const [start, by, count] = [startDate(scope), unit(scope), amount(scope)];
    const zone = readZone(timezone, scope);
    if (isNullish(start) || isNullish(by) || isNullish(count) || zone === null) return null;
    return addUnits(
      toMoment(start),
      requireText(by, `${name}'s unit`),
      sign * requireWhole(count, `${name}'s amount`),
      zone,
    );
  });

const dateDiff = named(
  '$dateDiff',
  ['startDate', 'endDate', 'unit'],
  ['timezone', 'startOfWeek'],
  ({ startDate, endDate, unit, timezone, startOfWeek }) =>
    (scope) => {
      const [start, end, by] = [startDate(scope), endDate(scope), unit(scope)];
      const zone = readZone(timezone, scope);
      if (isNullish(start) || isNullish(end) || isNullish(by) || zone === null) return null;
      const firstWeekday = weekday(requireText(startOfWeek?.(scope) ?? 'sunday', "$dateDiff's startOfWeek"));
      return fromInteger(
        countUnits(toMoment(start), toMoment(end), requireText(by, "$dateDiff's unit"), zone, firstWeekday),
      );
    },
);

const dateTrunc = named(
  '$dateTrunc',
  ['date', 'unit'],
  ['binSize', 'timezone', 'startOfWeek'],
  ({ date, unit, binSize, timezone, startOfWeek }) =>
    (scope) => {
      const [value, by] = [date(scope), unit(scope)];
      const size = binSize ? binSize(scope) : fromInteger(1);
      const zone = readZone(timezone, scope);
      if (isNullish(value) || isNullish(by) || isNullish(size) || zone === null) return null;
      const count = requireWhole(size, "$dateTrunc's binSize");
      if (count <= 0) throw locationError(5439018, '$dateTrunc requires binSize to be greater than 0');
      const firstWeekday = weekday(requireText(startOfWeek?.(scope) ?? 'sunday', "$dateTrunc's startOfWeek"));
      return truncate(toMoment(value), requireText(by, "$dateTrunc's unit"), count, zone, firstWeekday);
    },
);

/** Dates. */
export const DATE_OPERATORS: Record<string, CompileOperator> = {
  ...Object.fromEntries(Object.entries(PARTS).map(([name, read]) => [name, part(name, read)])),
  $dateToString: dateToString,
  $dateFromString: dateFromString,
  $dateFromParts: dateFromParts,
  $dateToParts: dateToParts,
  $dateAdd: move('$dateAdd', 1),
  $dateSubtract: move('$dateSubtract', -1),
  $dateDiff: dateDiff,
  $dateTrunc: dateTrunc,
};
