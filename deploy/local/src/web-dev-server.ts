import { join } from 'node:path';
import { childEnvironment } from './child-environment.ts';
import { answersHttp } from './readiness.ts';
import { REPOSITORY } from './settings.ts';
import type { ProcessSpec } from './supervised-process.ts';

/** Vite's development server for the web app, on loopback, proxied by the gateway. */
export function webDevServer(port: number, gatewayPort: number): { url: string; spec: ProcessSpec } {
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    spec: {
      name: 'web',
      command: process.execPath,
      args: [
        join(REPOSITORY, 'node_modules/vite/bin/vite.js'),
        join(REPOSITORY, 'web'),
        '--config',
        join(REPOSITORY, 'web/vite.config.ts'),
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
        '--strictPort',
        '--clearScreen',
        'false',
      ],
      env: childEnvironment({ NODE_ENV: 'development', API_URL: `http://127.0.0.1:${gatewayPort}` }),
      isReady: () => answersHttp(`${url}/`),
    },
  };
}
