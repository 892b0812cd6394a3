import type { Stack } from '@interview-prep/local/stack';

/** Shared by all measures: a running product with its own data folder, and a folder for files. */
export interface Bench {
  stack: Stack;
  folder: string;
  /** One second of sound as recorded by a browser. */
  tone: Uint8Array<ArrayBuffer>;
  /** Prints progress on the terminal. */
  say: (line: string) => void;
}

/** One row of docs/benchmarks.md. Ratios and differences come from the same run, since machines vary and are noisy. */
export interface Measure {
  what: string;
  unit: string;
  /** The largest acceptable value (the smallest if `atLeast`). */
  limit: number;
  atLeast?: boolean;
  /** @returns the value, and a description of its origin */
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

/** How long an action takes, in ms. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}
