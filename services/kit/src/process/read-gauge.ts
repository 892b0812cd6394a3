import { Gauge, type Registry } from '@prometheus-io/client';

/** A value with its labels; `{}` for none. */
type Reading = readonly [labels: Record<string, string>, value: number];

/** Shorter than the ten seconds that Prometheus gives a scrape. */
const readMs = 2000;

/**
 * Registers a gauge that is read at each scrape. If reading fails or times out because MongoDB or Redis is down, the gauge has
 * no values, and the other metrics are still served.
 */
export function registerReadGauge(
  registry: Registry,
  gauge: {
    name: string;
    help: string;
    labelNames?: readonly string[];
    read: () => Promise<number | readonly Reading[]>;
  },
): void {
  const { read, ...options } = gauge;
  let labels: Reading[0][] = [];
  new Gauge({
    ...options,
    registers: [registry],
    async collect() {
      for (const each of labels) this.remove(each);
      const timeout = new Promise<null>((resolve) => setTimeout(resolve, readMs, null).unref());
      const found = await Promise.race([read().catch(() => null), timeout]);
      const readings: readonly Reading[] = typeof found === 'number' ? [[{}, found]] : (found ?? []);
      labels = readings.map(([each]) => each);
      for (const [each, value] of readings) this.set(each, value);
      // A gauge without labels starts at 0, which would look like a value.
      if (found === null && options.labelNames === undefined) this.remove();
    },
  });
}
