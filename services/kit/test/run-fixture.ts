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

/** Starts `fixtures/<name>.ts`; only what `environment` says is in its environment. */
export function runFixture(name: string, environment: Record<string, string> = {}): RunningFixture {
  const path = fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [path], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
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
