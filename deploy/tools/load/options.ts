import { parseArgs } from 'node:util';
import { StartupError } from '@interview-prep/local/startup-error';

/** What each number may be, and what it is by default. */
const numbers = {
  /** Seconds in which people arrive. */
  seconds: { default: 60, min: 1, max: 3600 },
  /** People who arrive in a minute, on average. */
  'per-minute': { default: 20, min: 1, max: 600 },
  /** Answers of each person. */
  answers: { default: 2, min: 1, max: 4 },
  /** Seconds of speech in each answer. */
  'answer-seconds': { default: 16, min: 2, max: 120 },
  /** Seconds that the stand-in engine takes for a second of speech: Whisper's on one core. */
  speed: { default: 0.48, min: 0, max: 10 },
  /** The same seed has people arrive at the same times. */
  seed: { default: 1, min: 0, max: 2 ** 31 },
} as const;

type NumberName = keyof typeof numbers;

/** How to put load on a product. */
export interface LoadOptions extends Record<NumberName, number> {
  /** A running product's address; undefined to start one. */
  url: string | undefined;
}

/** The names under which this machine reaches itself. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @throws StartupError for an unknown option, a number out of bounds, or an address that is not of this machine */
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
