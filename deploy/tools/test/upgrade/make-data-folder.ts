/**
 * Creates a release's data folder for the upgrade test. Runs the product of this checkout, uses it, stops it while work is
 * pending, and packs the data folder. Run it once per release, and keep the archive.
 *
 *     node deploy/tools/test/upgrade/make-data-folder.ts deploy/tools/test/upgrade/<version>.tar.gz
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Stack, startStack } from '@interview-prep/local/stack';
import { type Client, type Detail, type Resource, signIn } from './client.ts';
import type { Expected } from './expected.ts';

const execute = promisify(execFile);
const PASSWORD = 'upgrade-password';
/** An unreachable speech engine, so that answers stay pending. */
const UNREACHABLE = { SPEECH_ENGINE: 'openai', SPEECH_URL: 'http://127.0.0.1:9/v1', SPEECH_MODEL: 'whisper-1' };
const TIMEOUT_MS = 120_000;
/** Regenerated at each start, or not needed by the next release. */
const REGENERABLE = ['logs', 'spool', 'lock', 'redis.conf', 'mail'];

const archive = resolve(process.argv[2] ?? 'data-folder.tar.gz');
const folder = await mkdtemp(join(tmpdir(), 'upgrade-'));
const dataDir = join(folder, 'data');

/** A short spoken answer, small enough for the repository. @returns its path */
async function speak(name: string, words: string): Promise<string> {
  const wav = join(folder, `${name}.wav`);
  const webm = join(folder, `${name}.webm`);
  await execute('flite', ['-voice', 'slt', '-t', words, '-o', wav]);
  await execute('ffmpeg', ['-nostdin', '-y', '-loglevel', 'error', '-i', wav, '-c:a', 'libopus', '-b:a', '24k', webm]);
  return webm;
}

const start = (settings: Record<string, string> = {}): Promise<Stack> =>
  startStack({
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, SEED: 'demo', DEMO_PASSWORD: PASSWORD, ...settings },
  });

/** Polls until `read` returns a result that passes. */
async function until<Result>(read: () => Promise<Result>, passes: (result: Result) => boolean): Promise<Result> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const result = await read().catch(() => undefined);
    if (result !== undefined && passes(result)) return result;
    if (Date.now() > deadline) throw new Error(`After ${TIMEOUT_MS} ms: ${JSON.stringify(result)}`);
    await delay(200);
  }
}

/** Waits until this many answers of a detail are no longer pending. */
const untilDone = (client: Client, path: string, count: number) =>
  until(
    () => client.ask<Detail>('GET', path),
    ({ recordings }) =>
      recordings.length === count &&
      recordings.every(
        ({ transcription, assessment }) => transcription.status !== 'pending' && assessment?.status !== 'pending',
      ),
  );

/** Runs a command on the product's Redis. @returns its reply */
async function redis(command: string): Promise<string> {
  const configuration = await readFile(join(dataDir, 'redis.conf'), 'utf8');
  const [, port] = configuration.match(/^port (\d+)$/m) ?? [];
  const [, password] = configuration.match(/^requirepass (.+)$/m) ?? [];
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(`${[`AUTH ${password}`, command, 'QUIT'].join('\r\n')}\r\n`);
  return text(socket);
}

const interviewPath = ({ interviewId }: Resource) => `/api/interviews/${interviewId}`;
const practicePath = ({ practiceId }: Resource) => `/api/practice/details/${practiceId}`;

const closure = await speak('closure', 'A closure is a function that remembers the variables of its scope.');
const scope = await speak('scope', 'A closure keeps its variables alive after the outer function has returned.');
const hoisting = await speak('hoisting', 'Hoisting means that declarations are moved to the top of their scope.');
const promise = await speak('promise', 'A promise is an object for a value that will be available later.');
const damaged = join(folder, 'damaged.webm');
await writeFile(damaged, Buffer.concat([(await readFile(closure)).subarray(0, 300), Buffer.alloc(3000)]));

const interviewBody = {
  title: 'Closures and hoisting',
  technology: 'javascript',
  questions: ['What is a closure?', 'What is hoisting?', 'What is a promise?'],
  tags: ['scope', 'functions'],
  expertAnswers: [
    'A closure is a function that remembers the variables of the scope where it was made.',
    '',
    'A promise is an object for a value that will be available later.',
  ],
};
const practiceBody = {
  title: 'Promises in practice',
  technology: 'javascript',
  questions: ['What is a promise?'],
  answers: ['A promise is an object for a value that will be available later.'],
  tags: [],
};

/** Everything that completes before the first stop. @returns the paths of details, and the set for later answers */
async function useProduct({ url }: Stack) {
  const admin = await signIn(url, 'admin@example.com', PASSWORD);
  const register = (email: string, password: string) =>
    admin.ask<{ user: Resource }>('POST', '/api/auth/register', { email, password, technologies: ['javascript'] });
  await register('grace@example.com', 'grace-password');
  await register('ada@example.com', 'first-password');
  const { user: leaver } = await register('leaver@example.com', 'leaver-password');
  const ada = await signIn(url, 'ada@example.com', 'first-password');
  await ada.ask('POST', '/api/auth/change-password', {
    currentPassword: 'first-password',
    newPassword: 'ada-password',
  });

  const { technology } = await admin.ask<{ technology: Resource }>('POST', '/api/technologies', { name: 'Erlang' });
  await admin.ask('PUT', `/api/technologies/${technology.id}`, { name: 'Erlang/OTP' });
  const createSet = async (body: object) =>
    (await admin.ask<{ interviewSet: Resource }>('POST', '/api/interviews/sets', body)).interviewSet;
  const set = await createSet(interviewBody);
  const deletedSet = await createSet({ ...interviewBody, title: 'Deleted later', technology: technology.slug });
  const { practiceSet } = await admin.ask<{ practiceSet: Resource }>('POST', '/api/practice', practiceBody);

  const candidate = await signIn(url, 'candidate@example.com', PASSWORD);
  const sessionId = crypto.randomUUID();
  const interview = await candidate.upload('interview', set, { sessionId, questionId: 0, file: closure });
  await candidate.upload('interview', set, { sessionId, questionId: 0, file: scope });
  await candidate.upload('interview', set, { sessionId, questionId: 1, file: hoisting });
  await untilDone(candidate, interviewPath(interview), 2);
  const failed = await candidate.upload('interview', deletedSet, { questionId: 0, file: damaged });
  await untilDone(candidate, interviewPath(failed), 1);
  const practice = await candidate.upload('practice', practiceSet, { questionId: 0, file: promise });
  await untilDone(candidate, practicePath(practice), 1);

  const leaving = await signIn(url, 'leaver@example.com', 'leaver-password');
  const left = await leaving.upload('interview', set, { questionId: 1, file: hoisting });
  await untilDone(leaving, interviewPath(left), 1);
  await admin.ask('DELETE', `/api/users/${leaver.id}`);
  await admin.ask('DELETE', `/api/interviews/sets/${deletedSet._id}`);
  await admin.ask('PUT', `/api/interviews/sets/${set._id}`, {
    ...interviewBody,
    title: 'Closures, hoisting, promises',
  });
  await until(
    () => admin.ask<object>('GET', '/api/interviews/history'),
    (history) => !JSON.stringify(history).includes('leaver@example.com'),
  );
  return {
    set,
    practiceSet,
    failed: interviewPath(failed),
    details: [interview, failed, left].map(interviewPath).concat(practicePath(practice)),
  };
}

/** Adds an answer that stays pending, then a set and an answer whose events can't be queued. */
async function stopInTheMiddle({ url }: Stack, used: Awaited<ReturnType<typeof useProduct>>): Promise<Expected> {
  const admin = await signIn(url, 'admin@example.com', PASSWORD);
  const candidate = await signIn(url, 'candidate@example.com', PASSWORD);
  const pending = interviewPath(await candidate.upload('interview', used.set, { questionId: 2, file: promise }));
  await until(
    () => candidate.ask<Detail>('GET', pending),
    ({ recordings }) => recordings.length === 1,
  );

  const read = <Result>(path: string, client = admin) => client.ask<Result>('GET', path);
  const { users } = await read<Pick<Expected, 'users'>>('/api/users');
  const { technologies } = await read<Pick<Expected, 'technologies'>>('/api/technologies');
  const { interviewSets } = await read<Pick<Expected, 'interviewSets'>>('/api/interviews/sets');
  const { practiceSets } = await read<Pick<Expected, 'practiceSets'>>('/api/practice');
  const interviews = await read<{ recordings: Resource[] }>('/api/interviews/history');
  const practices = await read<{ recordings: Resource[] }>('/api/practice/history');
  const details = await Promise.all(
    [...used.details, pending].map(async (path) => [path, await read<Detail>(path)] as const),
  );

  // Redis rejects all writes: changes reach MongoDB, but their events stay unpublished.
  await redis('CONFIG SET maxmemory 1');
  const setTitle = 'A set whose event is unpublished';
  await admin.ask('POST', '/api/interviews/sets', { ...interviewBody, title: setTitle });
  const unpublished = await candidate.upload('interview', used.set, { questionId: 1, file: hoisting });
  await redis('BGREWRITEAOF');
  await until(
    () => redis('INFO persistence'),
    (info) => info.includes('aof_rewrite_in_progress:0'),
  );
  return {
    password: PASSWORD,
    passwords: { 'grace@example.com': 'grace-password', 'ada@example.com': 'ada-password' },
    users,
    technologies,
    interviewSets: interviewSets.filter(({ _id }) => _id === used.set._id),
    practiceSets: practiceSets.filter(({ _id }) => _id === used.practiceSet._id),
    interviews: interviews.recordings,
    practices: practices.recordings,
    details: Object.fromEntries(details),
    pending,
    failed: used.failed,
    unpublished: { setTitle, interview: interviewPath(unpublished) },
  };
}

let stack = await start();
const used = await useProduct(stack);
await stack.stop();
stack = await start(UNREACHABLE);
const expected = await stopInTheMiddle(stack, used);
await stack.stop();

await writeFile(join(dataDir, 'expected.json'), `${JSON.stringify(expected, undefined, 1)}\n`);
for (const name of REGENERABLE) await rm(join(dataDir, name), { recursive: true, force: true });
await execute('tar', ['-C', dataDir, '-czf', archive, '.'], { env: { ...process.env, GZIP: '-9' } });
await rm(folder, { recursive: true });
console.log(`${archive}: ${(await readFile(archive)).length} bytes`);
