import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { InterviewDetail } from '@interview-prep/contracts/history/history';
import { findFreePorts } from '@interview-prep/local/free-ports';
import { REPOSITORY } from '@interview-prep/local/settings';
import { startStack } from '@interview-prep/local/stack';
import { startStandInEngine } from '../load/stand-in-engine.ts';
import { signIn } from './api-client.ts';
import type { Measure } from './measure.ts';
import { descendants } from './processes.ts';

const answers = 8;
const spoken =
  'A function gives a name to a group of instructions. Small functions are easy to understand and to change.';
/** Seconds per second of speech: an answer of six seconds waits twelve, in which the cores are free for other stages. */
const engineSpeed = 2;

/** Starts a second worker with the settings of the one that uses this speech server, since another product is running too. */
async function startSecondWorker(speechUrl: string): Promise<ChildProcess> {
  const script = 'services/recording/src/worker.ts';
  const variables = descendants(process.pid)
    .filter(({ command }) => command.includes(script))
    .map(({ pid }) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean))
    .find((ofWorker) => ofWorker.includes(`SPEECH_URL=${speechUrl}`));
  if (!variables) throw new Error('There is no worker');
  const env = Object.fromEntries(variables.map((one) => [one.split('=')[0] ?? '', one.slice(one.indexOf('=') + 1)]));
  const [port = 0] = await findFreePorts(1);
  const worker = spawn(process.execPath, [join(REPOSITORY, script)], {
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (worker.exitCode !== null) throw new Error('The second worker did not start');
    await pause(100);
  }
  return worker;
}

export const twoWorkers: Measure = {
  what: 'answers per second with two workers, relative to one, with a simulated speech server',
  unit: '×',
  limit: 1.9,
  atLeast: true,
  async run({ folder, say }) {
    const [wav, webm] = [join(folder, 'short.wav'), join(folder, 'short.webm')];
    await promisify(execFile)('flite', ['-voice', 'slt', '-t', spoken, '-o', wav]);
    await promisify(execFile)('ffmpeg', ['-nostdin', '-loglevel', 'error', '-i', wav, '-c:a', 'libopus', webm]);
    const media = await readFile(webm);
    const engine = await startStandInEngine(engineSpeed, spoken.split(' '));
    const stack = await startStack({
      env: {
        ...process.env,
        ...engine.env,
        UPLOADS_PER_HOUR: '0',
        PORT: '0',
        DATA_DIR: join(folder, 'workers'),
        SEED: 'demo',
      },
    });
    let second: ChildProcess | undefined;
    try {
      const client = await signIn(stack);
      const set = (await client.interviewSets())[0];
      if (!set) throw new Error('There is no interview set');
      const isDone = async (id: string) => {
        const { recordings } = await client
          .get<InterviewDetail>(`/api/interviews/${id}`)
          .catch(() => ({ recordings: [] }));
        return recordings[0] !== undefined && recordings[0].assessment.status !== 'pending';
      };
      /** @returns answers finished per second */
      const finish = async (count: number) => {
        const startedAt = performance.now();
        const left = new Set<string>();
        for (let answer = 0; answer < count; answer += 1) {
          // A trailing void element, which readers skip, makes each recording unique.
          const own = new Uint8Array([0xec, 0x84, ...crypto.getRandomValues(new Uint8Array(4))]);
          left.add((await client.upload(new Blob([media, own], { type: 'audio/webm' }), set, 0)).interviewId);
        }
        while (left.size > 0) {
          for (const id of left) if (await isDone(id)) left.delete(id);
          await pause(200);
        }
        return (count * 1000) / (performance.now() - startedAt);
      };
      // Warm-up.
      await finish(2);
      const one = await finish(answers);
      say(`one worker: ${one.toFixed(2)} answers a second`);
      second = await startSecondWorker(engine.env.SPEECH_URL ?? '');
      await finish(4);
      const two = await finish(answers * 2);
      return { value: two / one, from: `${two.toFixed(2)} over ${one.toFixed(2)} answers a second` };
    } finally {
      if (second && second.exitCode === null) {
        second.kill('SIGTERM');
        await once(second, 'exit');
      }
      await stack.stop();
      await engine.close();
    }
  },
};
