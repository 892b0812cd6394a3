import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startServiceProcess } from '@interview-prep/kit/testing/service-process';
import { onTestFinished } from 'vitest';
import { mediaTokenSecret, type RecordingUnderTest } from './recording-under-test.ts';

/** The token for the processes' metrics. */
export const metricsToken = 'a-token-for-metrics';

/** One of the service's processes, as in production. */
export interface RunningProcess {
  /** The base URL of its HTTP server. */
  url: string;
  /** Sends it a signal. @returns its exit status; null if the signal killed it */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `main.ts` or `worker.ts` with a test's databases; resolves once it listens. It stops with the test. */
export async function startProcess(
  entry: 'main' | 'worker',
  service: RecordingUnderTest,
  settings: Record<string, string> = {},
): Promise<RunningProcess> {
  const running = startServiceProcess(new URL(`../../src/${entry}.ts`, import.meta.url), {
    PATH: process.env.PATH ?? '',
    ...service.backing.settings,
    ...(entry === 'worker' ? { REDIS_URL: service.backing.redisUrlOf('worker') } : {}),
    ...service.storeSettings,
    PORT: '0',
    LOG_LEVEL: 'info',
    METRICS_TOKEN: metricsToken,
    SPOOL_DIR: service.spoolDir,
    MEDIA_TOKEN_SECRET: mediaTokenSecret,
    AUTH_JWKS_URL: 'http://127.0.0.1:1/',
    // As in production: frees upload buffers sooner.
    ...(entry === 'main' ? { NODE_OPTIONS: '--max-semi-space-size=1' } : {}),
    ...settings,
  });
  onTestFinished(async () => {
    running.stop('SIGKILL');
    await running.ended;
  });
  return {
    url: await running.url(),
    end(signal) {
      running.stop(signal);
      return running.ended;
    },
  };
}

/** Starts `main.ts`, and a server with the keys that sign the test users' tokens. It stops with the test. */
export async function startMain(service: RecordingUnderTest): Promise<RunningProcess> {
  const keys = createServer((_req, res) => res.end(JSON.stringify(service.identity.jwks))).listen(0, '127.0.0.1');
  onTestFinished(() => {
    keys.close();
  });
  await once(keys, 'listening');
  const AUTH_JWKS_URL = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/`;
  return startProcess('main', service, { AUTH_JWKS_URL });
}
