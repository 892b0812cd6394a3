const dayMs = 24 * 60 * 60_000;

/** The beginning of a local day, YYYY-MM-DD; `next` for the day after it. Undefined for no day. */
export function dayStart(day: string, next = false): string | undefined {
  const start = new Date(`${day}T00:00:00`);
  if (Number.isNaN(start.getTime())) return undefined;
  // Noon of the day after, so that a change of the clocks does not matter.
  const date = next ? new Date(start.getTime() + 1.5 * dayMs) : start;
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).toISOString();
}
