import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { mediaTokenSecret, type RecordingUnderTest } from './recording-under-test.ts';

/** One of the service's processes, as in production. */
export interface ServiceProcess {
  child: ChildProcess;
  /** Where its HTTP side listens. */
  url: string;
  /** Ends it with a signal and waits until it has gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts `main.ts` or `worker.ts` on the databases of a test; resolves once it listens. */
export async function startProcess(
  entry: 'main' | 'worker',
  service: RecordingUnderTest,
  settings: Record<string, string> = {},
): Promise<ServiceProcess> {
  const path = fileURLToPath(new URL(`../../src/${entry}.ts`, import.meta.url));
  const child = spawn(process.execPath, [path], {
    env: {
      PATH: process.env.PATH,
      ...service.backing.settings,
      ...service.storeSettings,
      ...{ PORT: '0', LOG_LEVEL: 'info', SPOOL_DIR: service.spoolDir },
      ...{ MEDIA_TOKEN_SECRET: mediaTokenSecret, AUTH_JWKS_URL: 'http://127.0.0.1:1/' },
      // As `npm start` and the compose file set it: buffers of finished uploads are given back sooner.
      NODE_OPTIONS: '--max-semi-space-size=2',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  const port = await new Promise<number>((resolve, reject) => {
    gone.then(([code]) => reject(new Error(`${entry} ended with ${code}`)), reject);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { msg, address } = JSON.parse(line);
      if (msg === 'listening') resolve(address.port);
    });
  });
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    async end(signal) {
      child.kill(signal);
      await gone;
    },
  };
}
