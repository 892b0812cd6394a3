import { quantile } from '../bench/measure.ts';

/** Latencies and failures by kind of request, measured from the intended start. */
export interface Latencies {
  /**
   * @param intendedAt by `performance.now()`. Avoids coordinated omission: slow responses don't postpone the next intended start.
   * @param endedAt by default now
   */
  took(kind: string, intendedAt: number, endedAt?: number): void;
  failed(kind: string, reason: string): void;
  failures(): number;
  count(kind: string): number;
  /** A line for each kind, and one for each reason for a failure. */
  lines(): string[];
}

const shares = [0.5, 0.95, 0.99, 1] as const;
const columns = ['kind', 'count', 'failed', 'median', '95%', '99%', 'longest'];
const widths = [26, 8, 8, 10, 10, 10, 10];

const row = (cells: readonly string[]) =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0))).join('');

const shown = (ms: number) => (ms < 10_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`);

export function createLatencies(): Latencies {
  const times = new Map<string, number[]>();
  const reasons = new Map<string, Map<string, number>>();
  const failuresOf = (kind: string) => [...(reasons.get(kind)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  return {
    took(kind, intendedAt, endedAt = performance.now()) {
      times.set(kind, [...(times.get(kind) ?? []), endedAt - intendedAt]);
    },
    failed(kind, reason) {
      const ofKind = reasons.get(kind) ?? new Map<string, number>();
      reasons.set(kind, ofKind.set(reason, (ofKind.get(reason) ?? 0) + 1));
    },
    failures: () => [...reasons.keys()].reduce((sum, kind) => sum + failuresOf(kind), 0),
    count: (kind) => times.get(kind)?.length ?? 0,
    lines() {
      const kinds = [...new Set([...times.keys(), ...reasons.keys()])];
      return [
        row(columns),
        ...kinds.map((kind) => {
          const took = times.get(kind) ?? [];
          const quantiles = shares.map((share) => (took.length === 0 ? '–' : shown(quantile(took, share))));
          return row([kind, String(took.length), String(failuresOf(kind)), ...quantiles]);
        }),
        ...[...reasons].flatMap(([kind, ofKind]) => [...ofKind].map(([reason, n]) => `${n} × ${kind}: ${reason}`)),
      ];
    },
  };
}
