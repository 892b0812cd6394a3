import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Starts tracing in a separate process. @returns the number of SDK modules it loaded, and whether jobs carry traces */
async function startWith(variables: Record<string, string>): Promise<{ loaded: number; traced: boolean }> {
  const source = new URL('../src/process/', import.meta.url);
  const script = `
    import { createRequire } from 'node:module';
    import { createLogger } from '${source}logger.ts';
    import { startTracing, tracedJobs } from '${source}tracing.ts';
    await startTracing('catalog', createLogger('catalog', 'silent'));
    const loaded = Object.keys(createRequire(import.meta.url).cache).filter((path) => /opentelemetry\\/sdk|bullmq-otel/.test(path));
    console.log(JSON.stringify({ loaded: loaded.length, traced: 'telemetry' in tracedJobs() }));
    process.exit();
  `;
  const { PATH } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { PATH, ...variables },
  });
  return JSON.parse(stdout) as { loaded: number; traced: boolean };
}

it.each([
  {},
  { OTEL_SERVICE_NAME: 'catalog' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_TRACES_EXPORTER: 'none' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_SDK_DISABLED: 'true' },
])('loads no OpenTelemetry code without a trace exporter: %j', async (variables) => {
  expect(await startWith(variables)).toEqual({ loaded: 0, traced: false });
});

it.each([
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' },
  { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' },
  { OTEL_TRACES_EXPORTER: 'console' },
])('traces requests and jobs if the standard variables configure an exporter: %j', async (variables) => {
  const { loaded, traced } = await startWith(variables);
  expect(loaded).toBeGreaterThan(0);
  expect(traced).toBe(true);
});
