/**
 * `npm run load`: people arrive at random times, sign in, answer, follow the processing of their answers, and read the results.
 * Prints latencies. See docs/capacity.md.
 *
 *     node main.ts [--seconds N] [--per-minute N] [--answers N] [--answer-seconds N] [--speed N] [--seed N] [--url URL]
 *
 * Without --url it starts its own product, with a fake speech server as the engine. With --url the people are
 * `candidate@example.com` of that product's demonstration, whose password is in DEMO_PASSWORD.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { keepSecrets, removeFolder } from '@interview-prep/local/data-folder';
import { StartupError } from '@interview-prep/local/settings';
import { startStack } from '@interview-prep/local/stack';
import { signIn } from '../bench/api-client.ts';
import { createRandom } from '../faults/random.ts';
import { createLatencies } from './latencies.ts';
import { startStandInEngine } from './stand-in-engine.ts';
import { type Place, visit } from './visit.ts';
import { type Usage, watchProduct } from './watch-product.ts';

/** The bounds and defaults of the numeric options. */
const numbers = {
  /** The period of arrivals. */
  seconds: { default: 60, min: 1, max: 3600 },
  /** The average rate of arrivals. */
  'per-minute': { default: 20, min: 1, max: 600 },
  /** Answers per person. */
  answers: { default: 2, min: 1, max: 4 },
  'answer-seconds': { default: 16, min: 2, max: 120 },
  /** The fake engine's seconds per second of speech: by default Whisper's on one core. */
  speed: { default: 0.48, min: 0, max: 10 },
  /** The same seed gives the same arrival times. */
  seed: { default: 1, min: 0, max: 2 ** 31 },
} as const;

type NumberName = keyof typeof numbers;

interface LoadOptions extends Record<NumberName, number> {
  /** The URL of a running product; undefined to start one. */
  url: string | undefined;
}

/** Matches loopback hosts. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @throws StartupError for an unknown option, a number out of bounds, or a URL of another machine */
function readLoadOptions(args: readonly string[]): LoadOptions {
  const text = { type: 'string' } as const;
  const names = Object.keys(numbers) as NumberName[];
  const options = { url: text, ...Object.fromEntries(names.map((name) => [name, text])) };
  const values = readArguments(args, options);
  const read = (name: NumberName): number => {
    const { default: otherwise, min, max } = numbers[name];
    const value = values[name] === undefined ? otherwise : Number(values[name]);
    if (values[name]?.trim() === '' || !(value >= min && value <= max)) {
      throw new StartupError(`--${name} must be a number from ${min} to ${max}.`);
    }
    return value;
  };
  const { url } = values;
  if (url !== undefined && !isLoopback(url)) {
    throw new StartupError(`--url must be an address of this machine, such as http://localhost:8080, not ${url}.`);
  }
  const found = Object.fromEntries(names.map((name) => [name, read(name)])) as Record<NumberName, number>;
  return { ...found, url: url?.replace(/\/$/, '') };
}

function readArguments(args: readonly string[], options: Record<string, { type: 'string' }>) {
  try {
    return parseArgs({ args: [...args], options }).values as Partial<Record<string, string>>;
  } catch (error) {
    throw new StartupError((error as Error).message);
  }
}

const isLoopback = (url: string): boolean =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && loopback.test(new URL(url).hostname);

const say = (line: string) => process.stdout.write(`  ${line}\n`);
const setTitle = 'JavaScript Warm-up';
const spoken =
  'A function gives a name to a group of instructions. We write the instructions once, and we can use them many times. ' +
  'Some functions receive input values, and many of them return a result.';
/** The maximum number of accounts, which is more than are in use at once: each costs a password hash. */
const accountsMax = 60;

/** Speech of this length, as Chromium records it: Opus in WebM. */
async function speak(folder: string, seconds: number): Promise<Uint8Array<ArrayBuffer>> {
  const [wav, webm] = [join(folder, 'spoken.wav'), join(folder, 'spoken.webm')];
  const run = promisify(execFile);
  await run('flite', ['-voice', 'slt', '-t', spoken, '-o', wav]);
  const input = ['-nostdin', '-y', '-loglevel', 'error', '-stream_loop', '-1', '-t', String(seconds), '-i', wav];
  await run('ffmpeg', [...input, '-c:a', 'libopus', '-b:a', '40k', '-ar', '48000', webm]);
  return new Uint8Array(await readFile(webm));
}

/** Creates accounts in the product that was started. */
async function makeAccounts(url: string, password: string, count: number): Promise<string[]> {
  const { token } = await signIn({ url, demo: { password } }, 'admin@example.com');
  const emails = Array.from({ length: count }, (_, index) => `load${index}@example.com`);
  for (const email of emails) {
    const response = await fetch(`${url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ email, password, technologies: ['javascript'] }),
    });
    if (!response.ok) throw new Error(`Creating ${email} returned ${response.status}: ${await response.text()}`);
  }
  return emails;
}

/** Simulates arrivals as a Poisson process (open loop), regardless of the product's speed. @returns the number of people */
async function receive(emails: readonly string[], options: LoadOptions, place: Place): Promise<number> {
  const random = createRandom(options.seed);
  const visits: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let at = 0; ; ) {
    at += (-Math.log(1 - random.next()) * 60) / options['per-minute'];
    if (at > options.seconds) break;
    await pause(Math.max(0, startedAt + at * 1000 - performance.now()));
    visits.push(visit(emails[visits.length % emails.length] ?? '', place));
  }
  await Promise.all(visits);
  return visits.length;
}

function usageLines(usage: Usage, answers: number): string[] {
  const each = (value: number) => (value / Math.max(1, answers)).toFixed(1);
  const { mongo, s3 } = usage.storedBytes;
  const byName = Map.groupBy(usage.processes, ({ name }) => name);
  const sum = (name: string, key: 'peakMegabytes' | 'endMegabytes' | 'processorSeconds') =>
    (byName.get(name) ?? []).reduce((total, one) => total + one[key], 0);
  return [
    `oldest answer without a verdict ${usage.oldestAnswerS.toFixed(1)} s, oldest job without a worker ${usage.oldestJobS.toFixed(1)} s`,
    `per answer: ${each(usage.mongoCommands)} commands of MongoDB, ${each(usage.redisCommands)} of Redis with those in scripts; stored ${each(mongo / 1000)} kB in MongoDB, ${each(s3 / 1000)} kB of objects`,
    '',
    'process                        most memory   at the end   processor   per answer',
    ...[...byName.keys()]
      .filter(Boolean)
      .map((name) =>
        [
          name.split('/').slice(-3).join('/').padEnd(30),
          `${sum(name, 'peakMegabytes').toFixed(0)} MB`.padStart(12),
          `${sum(name, 'endMegabytes').toFixed(0)} MB`.padStart(13),
          `${sum(name, 'processorSeconds').toFixed(1)} s`.padStart(12),
          `${each(sum(name, 'processorSeconds') * 1000)} ms`.padStart(13),
        ].join(''),
      ),
  ];
}

/** Starts a product with a fake engine, for as long as `use` takes. */
async function withOwnProduct(
  folder: string,
  speed: number,
  use: (product: { url: string; password: string; watch: () => Promise<() => Promise<Usage>> }) => Promise<void>,
): Promise<void> {
  const engine = await startStandInEngine(speed, spoken.split(' '));
  try {
    const dataDir = join(folder, 'data');
    const limits = { LOGIN_ATTEMPTS: '0', UPLOADS_PER_HOUR: '0', STORED_MB_PER_USER: '0' };
    const own = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, SEED: 'demo' };
    const stack = await startStack({ env: { PATH: process.env.PATH, ...engine.env, ...limits, ...own } });
    try {
      const { metricsToken } = await keepSecrets(dataDir);
      const recordingUrl = `http://127.0.0.1:${stack.ports.recording}`;
      const watch = () => watchProduct(dataDir, { recordingUrl, metricsToken });
      await use({ url: stack.url, password: stack.demo.password, watch });
    } finally {
      await stack.stop();
    }
  } finally {
    await engine.close();
  }
}

async function run(options: LoadOptions): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'interview-prep-load-'));
  const latencies = createLatencies();
  const use = async (
    url: string,
    password: string,
    emails: readonly string[],
    watch?: () => Promise<() => Promise<Usage>>,
  ) => {
    const client = await signIn({ url, demo: { password } }, emails[0]);
    const set = (await client.interviewSets()).find(({ title }) => title === setTitle);
    if (!set) throw new StartupError(`The product has no set ${setTitle}: it needs the demonstration data.`);
    const { answers, 'answer-seconds': answerSeconds } = options;
    const media = await speak(folder, answerSeconds);
    const stopWatching = await watch?.();
    say(
      `people arrive for ${options.seconds} s, ${options['per-minute']} in a minute; each answers ${answers} times for ${answerSeconds} s`,
    );
    const people = await receive(emails, options, { url, password, set, answers, answerSeconds, media, latencies });
    const usage = await stopWatching?.();
    say(`${people} came; times count from when each was meant to begin\n`);
    for (const line of latencies.lines()) say(line);
    if (!usage) return;
    say('');
    for (const line of usageLines(usage, latencies.count('verdict after Stop'))) say(line);
  };
  try {
    if (options.url !== undefined) {
      const { DEMO_PASSWORD } = process.env;
      if (!DEMO_PASSWORD)
        throw new StartupError('--url needs the password of the demonstration users in DEMO_PASSWORD.');
      await use(options.url, DEMO_PASSWORD, ['candidate@example.com']);
    } else {
      const expected = Math.ceil((options.seconds / 60) * options['per-minute'] * 1.5) + 1;
      await withOwnProduct(folder, options.speed, async ({ url, password, watch }) =>
        use(url, password, await makeAccounts(url, password, Math.min(expected, accountsMax)), watch),
      );
    }
  } finally {
    await removeFolder(folder);
  }
  return latencies.failures() === 0 ? 0 : 1;
}

try {
  process.exitCode = await run(readLoadOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  console.error(`\n  ${error.message}`);
  process.exitCode = 1;
}
// Keep-alive connections would keep the process running.
process.exit();
