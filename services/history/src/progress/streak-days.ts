const dayMs = 24 * 60 * 60 * 1000;

/**
 * How many calendar days in a row have one of these times, up to today; or up to yesterday, where today has none yet.
 * @param timeZone an IANA name, in which days begin
 */
export function streakDays(times: readonly Date[], timeZone: string, now: Date): number {
  // The Swedish form of a date is ISO 8601's.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const numberOf = (time: Date) => Date.parse(format.format(time)) / dayMs;
  const days = new Set(times.map(numberOf));
  const today = numberOf(now);
  const last = days.has(today) ? today : today - 1;
  let count = 0;
  while (days.has(last - count)) count += 1;
  return count;
}
