import type { Stack } from '@interview-prep/local/stack';

/** What the measures share: a running product over a folder of its own, and a place for files. */
export interface Bench {
  stack: Stack;
  folder: string;
  /** A second of sound as the browser records it. */
  tone: Uint8Array<ArrayBuffer>;
  /** Prints progress on the terminal. */
  say: (line: string) => void;
}

/** One row of docs/benchmarks.md. Ratios and differences come from one run, since machines differ and are noisy. */
export interface Measure {
  what: string;
  unit: string;
  /** The largest value that is good enough (the smallest, where `atLeast`). */
  limit: number;
  atLeast?: boolean;
  /** @returns the value, and in words what it is made of */
  run(bench: Bench): Promise<{ value: number; from: string }>;
}

/** The quantile `share` (0–1) of the values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  if (value === undefined) throw new Error('No values were measured');
  return value;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Milliseconds that an action takes. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}
