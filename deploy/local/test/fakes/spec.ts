import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../src/child-environment.ts';
import { answersHttp } from '../../src/readiness.ts';
import type { ProcessSpec } from '../../src/supervised-process.ts';

/** A fake server's process spec. It logs its lifecycle in `<folder>/log`. */
export function fakeSpec(folder: string, name: string, port: number, env: Record<string, string> = {}): ProcessSpec {
  return {
    name,
    command: process.execPath,
    args: [fileURLToPath(new URL('./server.ts', import.meta.url))],
    env: childEnvironment({ PORT: String(port), FAKE_NAME: name, FAKE_FILE: `${folder}/log`, ...env }),
    isReady: () => answersHttp(`http://127.0.0.1:${port}/readyz`),
  };
}
