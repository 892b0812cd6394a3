import { parseArgs } from 'node:util';
import { StartupError } from '@interview-prep/local/startup-error';

/** The bounds and defaults of the numeric options. */
const numbers = {
  /** The period of arrivals. */
  seconds: { default: 60, min: 1, max: 3600 },
  /** The average rate of arrivals. */
  'per-minute': { default: 20, min: 1, max: 600 },
  /** Answers per person. */
  answers: { default: 2, min: 1, max: 4 },
  'answer-seconds': { default: 16, min: 2, max: 120 },
  /** The fake engine's seconds per second of speech: by default Whisper's on one core. */
  speed: { default: 0.48, min: 0, max: 10 },
  /** The same seed gives the same arrival times. */
  seed: { default: 1, min: 0, max: 2 ** 31 },
} as const;

type NumberName = keyof typeof numbers;

export interface LoadOptions extends Record<NumberName, number> {
  /** The URL of a running product; undefined to start one. */
  url: string | undefined;
}

/** Matches loopback hosts. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @throws StartupError for an unknown option, a number out of bounds, or a URL of another machine */
export function readLoadOptions(args: readonly string[]): LoadOptions {
  const text = { type: 'string' } as const;
  const names = Object.keys(numbers) as NumberName[];
  const options = { url: text, ...Object.fromEntries(names.map((name) => [name, text])) };
  const values = readArguments(args, options);
  const read = (name: NumberName): number => {
    const { default: otherwise, min, max } = numbers[name];
    const value = values[name] === undefined ? otherwise : Number(values[name]);
    if (values[name]?.trim() === '' || !(value >= min && value <= max)) {
      throw new StartupError(`--${name} must be a number from ${min} to ${max}.`);
    }
    return value;
  };
  const { url } = values;
  if (url !== undefined && !isLoopback(url)) {
    throw new StartupError(`--url must be an address of this machine, such as http://localhost:8080, not ${url}.`);
  }
  const found = Object.fromEntries(names.map((name) => [name, read(name)])) as Record<NumberName, number>;
  return { ...found, url: url?.replace(/\/$/, '') };
}

function readArguments(args: readonly string[], options: Record<string, { type: 'string' }>) {
  try {
    return parseArgs({ args: [...args], options }).values as Partial<Record<string, string>>;
  } catch (error) {
    throw new StartupError((error as Error).message);
  }
}

const isLoopback = (url: string): boolean =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && loopback.test(new URL(url).hostname);
