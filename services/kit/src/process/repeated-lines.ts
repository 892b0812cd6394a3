import type { Logger as PinoLogger } from 'pino';

/** A repeated line is logged once per window. */
const windowMs = 60_000;

/** How many causes are distinguished at once. Further ones share a line. */
const maxCauses = 500;

/** Pino's level `warn`: lines below it are never held back. */
const firstLevel = 40;

type LogMethod = (this: PinoLogger, ...args: unknown[]) => void;

/** Lines of one cause that were held back since the last one was logged. */
interface Repeats {
  count: number;
  /** Logs the latest of them, with the count. */
  logLatest: (count: number) => void;
}

/**
 * A pino hook that limits lines by cause and minute: logs the first one immediately, and at the end of the minute the latest
 * one with `repeated`, the number of lines since. A line's cause is its message and error, without ids and numbers.
 */
export function holdBackRepeats(minuteMs = windowMs) {
  const causes = new Map<string, Repeats>();

  const endWindow = (cause: string, repeats: Repeats) => {
    const { count, logLatest } = repeats;
    if (count === 0) {
      causes.delete(cause);
      return;
    }
    repeats.count = 0;
    startWindow(cause, repeats);
    logLatest(count);
  };
  const startWindow = (cause: string, repeats: Repeats) => {
    setTimeout(endWindow, minuteMs, cause, repeats).unref();
  };

  return function logMethod(this: PinoLogger, args: unknown[], method: LogMethod, level: number): void {
    if (level < firstLevel) {
      method.apply(this, args);
      return;
    }
    const own = causeOf(args, level);
    const cause = causes.size < maxCauses || causes.has(own) ? own : 'other';
    const known = causes.get(cause);
    if (known) {
      known.count += 1;
      known.logLatest = (count) => method.apply(this, withCount(args, count));
      return;
    }
    const repeats: Repeats = { count: 0, logLatest: () => undefined };
    causes.set(cause, repeats);
    startWindow(cause, repeats);
    method.apply(this, args);
  };
}

function causeOf([first, ...rest]: unknown[], level: number): string {
  const fields =
    typeof first === 'object' && first !== null && !(first instanceof Error) ? Object.values(first) : [first];
  const texts = [...fields, rest[0]].map((value) => (value instanceof Error ? describe(value) : value));
  return `${level} ${withoutNumbers(texts.filter((value) => typeof value === 'string').join('|'))}`;
}

function describe(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  const cause = error.cause instanceof Error ? describe(error.cause) : '';
  return [error.name, code, error.message, cause].join(' ');
}

/** The text without parts that vary between lines: numbers, ids, ports, times. */
function withoutNumbers(text: string): string {
  return text.replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=\w*\d)[0-9a-f]{8,}\b|\d+/gi, '#');
}

function withCount(args: unknown[], repeated: number): unknown[] {
  const [first, ...rest] = args;
  if (first instanceof Error) return [{ err: first, repeated }, ...rest];
  if (typeof first === 'object' && first !== null) return [{ ...first, repeated }, ...rest];
  return [{ repeated }, ...args];
}
