import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A fixture that runs as a process of its own. */
export interface RunningFixture {
  child: ChildProcess;
  /** All that it wrote so far. */
  output(): string;
  errors(): string;
  /** Its exit status, once it has ended. */
  ended: Promise<number | null>;
}

/** Starts a script; only what `environment` says is in its environment. */
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
