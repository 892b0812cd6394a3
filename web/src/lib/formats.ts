import { roleNames, unknowns } from './messages.ts';

const dayMs = 24 * 60 * 60_000;

/** The start of a local day (YYYY-MM-DD), or with `next` of the day after. Undefined without a day. */
export function dayStart(day: string, next = false): string | undefined {
  const start = new Date(`${day}T00:00:00`);
  if (Number.isNaN(start.getTime())) return undefined;
  // Noon of the next day, so that daylight saving time doesn't matter.
  const date = next ? new Date(start.getTime() + 1.5 * dayMs) : start;
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).toISOString();
}

const names = atFirstUse(() => new Intl.DisplayNames('en', { type: 'language' }));

/** Languages whose names Chromium's language data leaves out. */
const unnamed: Readonly<Record<string, string>> = { ba: 'Bashkir', bo: 'Tibetan' };

/** A language's English name, e.g. 'German' for 'de'. @param code ISO 639 */
export function languageName(code: string): string {
  const name = names().of(code) ?? code;
  return name === code ? (unnamed[code] ?? code) : name;
}

/**
 * Creates a value on first use. Creating the first `Intl` format takes 20 ms on a desktop and 80 ms on a phone, which would
 * delay the first paint.
 */
export function atFirstUse<Value extends object>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

type Instant = string | number | Date | null | undefined;

function formatted(instant: Instant, format: (date: Date) => string): string {
  if (instant === null || instant === undefined || instant === '') return unknowns.date;
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? unknowns.invalidDate : format(date);
}

const listFormat = atFirstUse(() => new Intl.DateTimeFormat('en-IN', { dateStyle: 'medium', timeStyle: 'short' }));
const detailFormat = atFirstUse(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }));
const dayFormat = atFirstUse(
  () => new Intl.DateTimeFormat('en-US', { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }),
);
const exactFormat = atFirstUse(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long' }));
const shortDayFormat = atFirstUse(() => new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short' }));
const relativeFormat = atFirstUse(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }));

/** A date in the two history lists, and nowhere else (en-IN): '20 Nov 2026, 2:15 pm'. Source: product specification, section 9. */
export function listDate(instant: Instant): string {
  return formatted(instant, (date) => listFormat().format(date));
}

/** A date on every other screen (en-US): 'Nov 20, 2026, 2:15 PM'. */
export function detailDate(instant: Instant): string {
  return formatted(instant, (date) => detailFormat().format(date));
}

/** The calendar day in the reader's time zone, as a heading for recordings: 'Friday, November 20, 2026'. */
export function calendarDay(instant: Instant): string {
  return formatted(instant, (date) => dayFormat().format(date));
}

/** A day of the year, on axes: 'Nov 20'. */
export function shortDay(instant: Instant): string {
  return formatted(instant, (date) => shortDayFormat().format(date));
}

/** Accurate to the second, with the time zone; for title attributes. */
export function exactTime(instant: Instant): string {
  return formatted(instant, (date) => exactFormat().format(date));
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Relative time in words: 'just now', '5 minutes ago', 'yesterday', '3 days ago'. */
export function timeAgo(instant: Instant, now: number = Date.now()): string {
  return formatted(instant, (date) => {
    const seconds = (date.getTime() - now) / 1000;
    const unit = units.find(([, size]) => Math.abs(seconds) >= size);
    return unit ? relativeFormat().format(Math.round(seconds / unit[1]), unit[0]) : 'just now';
  });
}

/** A number with its noun: '1 question', '12 questions'. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A position or elapsed time as m:ss, with minutes beyond 59: 65 → '1:05'. */
export function minutesSeconds(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** The length of an answer as m:ss, rounded to the nearest second: 11,600 → '0:12'. */
export function answerLength(ms: number): string {
  return minutesSeconds(Math.round(ms / 1000));
}

/** A chosen time: '30 s', '2 min', '1:30 min'. */
export function roundTime(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return `${seconds % 60 === 0 ? seconds / 60 : minutesSeconds(seconds)} min`;
}

/** Time spoken: '40 seconds', '12 minutes', '3 h 5 min'. */
export function spokenTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return countOf(seconds, 'second');
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return countOf(minutes, 'minute');
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The label of the button that continues a session: 'Resume (1 of 6 done)', or 'Start' before the first answer. */
export function resumeLabel(answered: number, asked: number): string {
  return answered === 0 ? 'Start' : `Resume (${answered} of ${asked} done)`;
}

/** The display name of a role: 'Candidate' for 'others'. */
export function roleName(role: string | null | undefined): string {
  const known = role?.trim() ?? '';
  return known === '' ? unknowns.role : (roleNames[known] ?? known);
}
