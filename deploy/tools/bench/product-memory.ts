import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePorts } from '@interview-prep/local/free-ports';
import { REPOSITORY } from '@interview-prep/local/settings';
import { type ApiClient, signIn } from './api-client.ts';
import type { Bench, Measure } from './measure.ts';
import { descendants, nameOf, proportionalMegabytes } from './processes.ts';

const restMs = 60_000;
/** An hour's work of a busy user, without the pauses. */
const answersPerHour = 60;
const pagesPerAnswer = 10;
/** The first answers load code that stays in memory. */
const warmUpAnswers = 10;

interface Measured {
  /** The sum over all processes, one minute after startup. */
  restMegabytes: number;
  processes: number;
  /** The growth of each process in an hour of use, by name. */
  growth: [name: string, megabytes: number][];
}

async function use(client: ApiClient, tone: Uint8Array<ArrayBuffer>, answers: number): Promise<void> {
  const set = (await client.interviewSets())[0];
  if (!set) throw new Error('There is no interview set');
  for (let answer = 0; answer < answers; answer += 1) {
    // A trailing void element, which readers skip, makes each recording unique.
    const own = new Uint8Array([0xec, 0x84, ...crypto.getRandomValues(new Uint8Array(4))]);
    await client.upload(new Blob([tone, own], { type: 'audio/webm' }), set, 0);
    for (let page = 0; page < pagesPerAnswer; page += 1) {
      await Promise.all([client.interviewSets(), client.get('/api/interviews/history'), client.get('/api/settings')]);
    }
  }
  // Lets the worker finish.
  await pause(restMs);
}

/** Starts the product with the demonstration, like `npm start`, and measures it at rest and after an hour of use. */
async function measureProduct({ folder, tone, say }: Bench): Promise<Measured> {
  const [port = 0] = await findFreePorts(1);
  const child = spawn(process.execPath, [join(REPOSITORY, 'deploy/local/src/start.ts')], {
    cwd: REPOSITORY,
    env: { ...process.env, PORT: String(port), DATA_DIR: join(folder, 'memory'), SEED: 'demo', UPLOADS_PER_HOUR: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    let output = '';
    for await (const chunk of child.stdout) {
      output += chunk;
      if (output.includes('Stop with Ctrl-C')) break;
    }
    const password = /candidate@example\.com\s+(\S+)/.exec(output)?.[1] ?? '';
    const url = `http://127.0.0.1:${port}`;
    const pid = child.pid ?? 0;
    const all = () => [{ pid, command: 'start/src/start.ts' }, ...descendants(pid)];
    await pause(restMs);
    const atRest = all().map((process) => proportionalMegabytes(process.pid));
    const client = await signIn({ url, demo: { password } });
    await use(client, tone, warmUpAnswers);
    const before = new Map(all().map((process) => [process.pid, proportionalMegabytes(process.pid)]));
    say('an hour of use');
    await use(client, tone, answersPerHour);
    const growth = all().flatMap((process): Measured['growth'] => {
      const start = before.get(process.pid);
      return start === undefined ? [] : [[nameOf(process), proportionalMegabytes(process.pid) - start]];
    });
    return { restMegabytes: atRest.reduce((sum, one) => sum + one, 0), processes: atRest.length, growth };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

let measured: Promise<Measured> | undefined;
const measureOnce = (bench: Bench) => (measured ??= measureProduct(bench));

export const memoryAtRest: Measure = {
  what: 'memory of the whole product when idle with demonstration data (proportional set size)',
  unit: 'MB',
  limit: 900,
  async run(bench) {
    const { restMegabytes, processes } = await measureOnce(bench);
    return { value: restMegabytes, from: `${processes} processes, a minute after the start` };
  },
};

export const memoryGrowth: Measure = {
  what: 'memory growth of a process in an hour of use, largest',
  unit: 'MB',
  limit: 30,
  async run(bench) {
    const growth = (await measureOnce(bench)).growth.toSorted(([, a], [, b]) => b - a);
    const from = growth.map(([name, megabytes]) => `${name} ${megabytes.toFixed(1)}`).join(', ');
    return { value: growth[0]?.[1] ?? 0, from: `${from}; ${answersPerHour} answers and their pages without pauses` };
  },
};
