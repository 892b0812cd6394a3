import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A line of a service's log. */
export type LogLine = { msg: string; address?: AddressInfo } & Record<string, unknown>;

/** A service in a process of its own, as in production. */
export interface ServiceProcess {
  /** The address it listens on. @throws if it exits before */
  url(): Promise<string>;
  /** Its log so far. */
  lines(): LogLine[];
  /** What it wrote to standard error so far. */
  errors(): string;
  /** Its exit status. */
  ended: Promise<number | null>;
  stop(signal: NodeJS.Signals): void;
}

const { NODE_COMPILE_CACHE } = process.env;

/** @param main the service's main.ts @param environment all of its environment, besides Node's cache of compiled code */
export function startServiceProcess(main: URL, environment: Record<string, string>): ServiceProcess {
  const child = spawn(process.execPath, [fileURLToPath(main)], {
    env: NODE_COMPILE_CACHE === undefined ? environment : { NODE_COMPILE_CACHE, ...environment },
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
  const lines = () =>
    output
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as LogLine);
  return {
    lines,
    errors: () => errors,
    ended: once(child, 'close').then(([status]) => status as number | null),
    stop: (signal) => child.kill(signal),
    async url() {
      for (;;) {
        const listening = lines().find(({ msg }) => msg === 'accepting requests');
        if (listening) return `http://127.0.0.1:${listening.address?.port}`;
        if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}: ${output}${errors}`);
        await pause(20);
      }
    },
  };
}
