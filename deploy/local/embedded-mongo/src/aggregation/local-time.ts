import { locationError } from '../errors.ts';

/** Milliseconds of the units that are always equally long. */
export const UNIT_MS: Record<string, number> = {
  week: 604_800_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
};

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    try {
      formatter = new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        era: 'short',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      });
    } catch {
      throw locationError(40485, `unrecognized time zone identifier: "${zone}"`);
    }
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** How far a zone is ahead of UTC at a moment, in milliseconds. A zone is an Olson name or `±hh[:mm]`. Throws code 40485. */
export function zoneOffsetMs(moment: Date, zone: string | undefined): number {
  if (zone === undefined || zone === 'UTC' || zone === 'GMT' || zone === 'Z') return 0;
  const fixed = /^([+-])(\d{2})(?::?(\d{2}))?$/.exec(zone);
  if (fixed)
    return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * UNIT_MS.hour! + Number(fixed[3] ?? 0) * UNIT_MS.minute!);
  const parts = Object.fromEntries(
    formatterOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
  const local =
    utc(year, Number(parts.month) - 1, Number(parts.day)) +
    Number(parts.hour) * UNIT_MS.hour! +
    Number(parts.minute) * UNIT_MS.minute! +
    Number(parts.second) * UNIT_MS.second!;
  const wholeSeconds = Math.floor(moment.getTime() / 1000) * 1000;
  return local - wholeSeconds;
}

/** A moment as its zone's clock shows it, kept in the UTC fields of a Date. */
export const toLocal = (moment: Date, zone: string | undefined): Date =>
  new Date(moment.getTime() + zoneOffsetMs(moment, zone));

/** The moment at which a zone's clock shows this; in the hour that a clock skips, the one after. */
export function fromLocal(local: Date, zone: string | undefined): Date {
  const guess = new Date(local.getTime() - zoneOffsetMs(local, zone));
  return new Date(local.getTime() - zoneOffsetMs(guess, zone));
}

/** Milliseconds of a date in UTC; unlike Date.UTC it takes years below 100 as they are. */
export function utc(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.getTime();
}

const startOfDay = (local: Date): number => utc(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate());
const daysBetween = (from: number, to: number): number => Math.round((to - from) / UNIT_MS.day!);

/** 1 to 366. */
export const dayOfYear = (local: Date): number => daysBetween(utc(local.getUTCFullYear(), 0, 1), startOfDay(local)) + 1;

/** 0 to 53; weeks begin on Sundays, and week 1 with the year's first. */
export const weekOfYear = (local: Date): number => Math.floor((dayOfYear(local) + 6 - local.getUTCDay()) / 7);

/** 1 for Monday to 7 for Sunday. */
export const isoDayOfWeek = (local: Date): number => local.getUTCDay() || 7;

/** ISO 8601's week and the year to which it belongs: those of the week's Thursday. */
export function isoWeek(local: Date): { week: number; year: number } {
  const thursday = new Date(startOfDay(local) + (4 - isoDayOfWeek(local)) * UNIT_MS.day!);
  return { week: Math.ceil(dayOfYear(thursday) / 7), year: thursday.getUTCFullYear() };
}

const MONTHS_IN: Record<string, number> = { month: 1, quarter: 3, year: 12 };

/** Moves a date by so many units of a zone's calendar; a day that a month lacks becomes its last. */
export function addUnits(moment: Date, unit: string, amount: number, zone: string | undefined): Date {
  const months = MONTHS_IN[unit];
  if (months === undefined && unit !== 'day' && unit !== 'week')
    return new Date(moment.getTime() + amount * unitMs(unit));
  const local = toLocal(moment, zone);
  if (months === undefined) return fromLocal(new Date(local.getTime() + amount * unitMs(unit)), zone);
  const target = local.getUTCFullYear() * 12 + local.getUTCMonth() + amount * months;
  const [year, month] = [Math.floor(target / 12), ((target % 12) + 12) % 12];
  const lastDay = new Date(utc(year, month + 1, 0)).getUTCDate();
  const timeOfDay = local.getTime() - startOfDay(local);
  return fromLocal(new Date(utc(year, month, Math.min(local.getUTCDate(), lastDay)) + timeOfDay), zone);
}

function unitMs(unit: string): number {
  const ms = UNIT_MS[unit];
  if (ms === undefined) throw locationError(9, `unknown time unit value: ${unit}`);
  return ms;
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** 0 for Sunday to 6, of a name or its first three letters. */
export function weekday(name: string): number {
  const wanted = name.toLowerCase();
  const found = WEEKDAYS.findIndex((day) => day === wanted || day.slice(0, 3) === wanted);
  if (found < 0) throw locationError(5439015, `unknown day of week value: ${name}`);
  return found;
}

/** Bins of months and of days are counted from this: midnight, 1 January 2000. */
const REFERENCE = Date.UTC(2000, 0, 1);

/** The beginning of the bin of so many units in which a moment lies. */
export function truncate(
  moment: Date,
  unit: string,
  binSize: number,
  zone: string | undefined,
  firstWeekday: number,
): Date {
  const local = toLocal(moment, zone);
  const months = MONTHS_IN[unit];
  if (months !== undefined) {
    const size = months * binSize;
    const index = (local.getUTCFullYear() - 2000) * 12 + local.getUTCMonth();
    return fromLocal(new Date(utc(2000, Math.floor(index / size) * size, 1)), zone);
  }
  const size = unitMs(unit) * binSize;
  const daysToWeek = (firstWeekday - new Date(REFERENCE).getUTCDay() + 7) % 7;
  const reference = unit === 'week' ? REFERENCE + daysToWeek * UNIT_MS.day! : REFERENCE;
  const start = new Date(reference + Math.floor((local.getTime() - reference) / size) * size);
  // Within an hour the offset does not change, so the moment's own is used: a clock that is set back shows an hour twice.
  return unit === 'day' || unit === 'week'
    ? fromLocal(start, zone)
    : new Date(moment.getTime() - (local.getTime() - start.getTime()));
}

/** How many boundaries of a unit lie between two moments. */
export function countUnits(
  start: Date,
  end: Date,
  unit: string,
  zone: string | undefined,
  firstWeekday: number,
): number {
  const [from, to] = [toLocal(start, zone), toLocal(end, zone)];
  const months = MONTHS_IN[unit];
  if (months !== undefined) {
    const index = (local: Date): number => Math.floor((local.getUTCFullYear() * 12 + local.getUTCMonth()) / months);
    return index(to) - index(from);
  }
  if (unit === 'day' || unit === 'week') {
    const shift = unit === 'week' ? firstWeekday - 4 : 0; // 1 January 1970 was a Thursday
    const index = (local: Date): number =>
      Math.floor((startOfDay(local) / UNIT_MS.day! - shift) / (unit === 'week' ? 7 : 1));
    return index(to) - index(from);
  }
  const ms = unitMs(unit);
  return (
    Math.floor(to.getTime() / ms) -
    Math.floor(from.getTime() / ms) -
    Math.round((zoneOffsetMs(end, zone) - zoneOffsetMs(start, zone)) / ms)
  );
}
