import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface RunningFixture {
  child: ChildProcess;
  /** Its output so far. */
  output(): string;
  errors(): string;
  /** Resolves to its exit status. */
  ended: Promise<number | null>;
}

/** Starts a script with only `environment` as its environment. */
export function runFixture(script: URL, environment: Record<string, string> = {}): RunningFixture {
  const child = spawn(process.execPath, [fileURLToPath(script)], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  const ended = once(child, 'close').then(([status]) => status as number | null);
  return { child, output: () => output, errors: () => errors, ended };
}
