import { setTimeout as pause } from 'node:timers/promises';
import type { InterviewSet, PracticeSet } from '@interview-prep/contracts/catalog/sets';
import type { Random } from '../random.ts';
import type { System } from '../system/system.ts';
import { type Answer, type Client, createClient } from './client.ts';
import { createEditedSet, type Edits, editSet, readSet } from './edits.ts';
import { createHistoryReader } from './history-reads.ts';
import type { Journal } from './journal.ts';
import { type LivePages, openLivePages } from './live-pages.ts';
import { type AnswerableSet, createUploader, type Upload } from './uploads.ts';

/** The error message for a revoked token. */
const signedOut = 'You have been signed out. Please sign in again.';

const messageOf = ({ body }: Answer) => (body as { message?: string } | undefined)?.message;

/** Signs in again, then signs out the old token. Once acknowledged, it must stay revoked. */
async function logOut(client: Client, revoked: string[], journal: Journal): Promise<void> {
  const { token } = client;
  const operation = journal.begin(client.email, 'logout', `token ${token?.slice(-12) ?? ''}`);
  const next = await client.signIn(operation);
  if (!next || !token) {
    if (next) client.token = next;
    journal.end(operation, false);
    return;
  }
  client.token = next;
  const answer = await client.call(operation, { method: 'POST', path: '/api/auth/logout', token });
  // The response to the call that revoked it may have been lost. A clock that is ahead only suspends sign-ins, which then
  // appear to have been idle for too long.
  const isRevoked = answer?.status === 204 || (answer?.status === 401 && messageOf(answer) === signedOut);
  if (isRevoked) revoked.push(token);
  journal.end(operation, isRevoked);
}

/** Makes calls with a revoked token, which must be rejected. */
async function tryRevokedToken(
  client: Client,
  revoked: readonly string[],
  random: Random,
  journal: Journal,
): Promise<void> {
  if (revoked.length === 0) return;
  const token = random.pick(revoked);
  const operation = journal.begin(client.email, 'revoked token', `token ${token.slice(-12)}`);
  const path = random.pick(['/api/auth/me', '/api/practice/history', '/api/interviews/sets']);
  const answer = await client.call(operation, { method: 'GET', path, token });
  journal.end(operation, answer?.status === 401);
  if (answer && answer.status !== 401) {
    const what = `GET ${path} with a revoked token answered ${answer.status}`;
    journal.report('token', what, operation.subject, operation.faults);
  }
}

/** Four active users, and the record of their work. */
export interface Load {
  uploads: readonly Upload[];
  edits: Edits;
  pages: readonly LivePages[];
  /** Tokens whose logout was acknowledged. */
  revoked: readonly string[];
  /** The admin's client, for checks. */
  admin: Client;
  /** Pauses the users until `resume`. */
  rest(): void;
  resume(): void;
  /** Lets the users finish their operations. Their pages stay open. */
  stop(): Promise<void>;
}

const DEMO_USERS = ['admin@example.com', 'candidate@example.com', 'dev@example.com'];
const OWN_USER = 'faults@example.com';
/** The maximum of a user's random pause between two operations. */
const MAX_PAUSE_MS = 1800;

/**
 * Starts the load: each user writes and reads concurrently.
 * @param answerLimitMs a response that takes longer is a violation
 * @throws if the first calls fail
 */
export async function startLoad(
  system: System,
  random: Random,
  journal: Journal,
  answerLimitMs: number,
): Promise<Load> {
  let isStopping = false;
  const clientOf = (email: string) => createClient(system, email, journal, answerLimitMs, () => isStopping);
  const admin = clientOf(DEMO_USERS[0] as string);
  const edits = await createEditedSet(admin, journal);
  await registerUser(admin, system.password, journal);
  const sets = await findSets(admin, edits, journal);
  const clients = [admin, ...[...DEMO_USERS.slice(1), OWN_USER].map(clientOf)];
  const uploads: Upload[] = [];
  const revoked: string[] = [];
  const pages: LivePages[] = [];
  let atWork = Promise.withResolvers<void>();
  atWork.resolve();

  /** Repeats random acts; one that is listed twice runs twice as often. */
  const repeat = async (...acts: (() => Promise<void>)[]) => {
    while (!isStopping) {
      await random.pick(acts)();
      await pause(random.next() * MAX_PAUSE_MS);
      await atWork.promise;
    }
  };
  const loops = clients.flatMap((client) => {
    const send = createUploader(client, sets, random, journal, uploads);
    const own = openLivePages(system, client, uploads, journal);
    pages.push(own);
    const upload = async () => {
      await send();
      own.openNew();
    };
    const readHistory = createHistoryReader(client, random, journal, uploads);
    const write = client === admin ? () => editSet(admin, edits, journal) : upload;
    return [
      repeat(write, write, write, write, write, () => logOut(client, revoked, journal)),
      repeat(
        readHistory,
        readHistory,
        readHistory,
        () => readSet(client, edits, journal),
        () => tryRevokedToken(client, revoked, random, journal),
      ),
    ];
  });
  // The admin uploads too, besides editing.
  const adminUpload = createUploader(admin, sets, random, journal, uploads);
  loops.push(repeat(adminUpload));
  const ended = Promise.all(loops);
  ended.catch(() => undefined);

  return {
    uploads,
    edits,
    pages,
    revoked,
    admin,
    rest() {
      atWork = Promise.withResolvers();
    },
    resume: () => atWork.resolve(),
    async stop() {
      isStopping = true;
      atWork.resolve();
      await ended;
    },
  };
}

async function registerUser(admin: Client, password: string, journal: Journal): Promise<void> {
  const operation = journal.begin(admin.email, 'edit', 'a new user');
  const body = { email: OWN_USER, password, role: 'dev', technologies: ['javascript'] };
  const answer = await admin.call(operation, { method: 'POST', path: '/api/auth/register', body });
  journal.end(operation, answer?.status === 201);
  if (answer?.status !== 201) throw new Error(`Registering a user returned ${answer?.status}`);
}

/** The sets to answer: the one that is being edited, and the demonstration's. */
async function findSets(admin: Client, edits: Edits, journal: Journal): Promise<AnswerableSet[]> {
  const operation = journal.begin(admin.email, 'read', 'all sets');
  const interview = await admin.call(operation, { method: 'GET', path: '/api/interviews/sets' });
  const practice = await admin.call(operation, { method: 'GET', path: '/api/practice' });
  journal.end(operation, true);
  if (interview?.status !== 200 || practice?.status !== 200) throw new Error('The sets cannot be read');
  const { interviewSets } = interview.body as { interviewSets: InterviewSet[] };
  const { practiceSets } = practice.body as { practiceSets: PracticeSet[] };
  const others = interviewSets.filter(({ _id }) => _id !== edits.setId).slice(0, 2);
  return [
    { kind: 'interview', id: edits.setId, questionCount: 1 },
    ...others.map(({ _id, questions }) => ({ kind: 'interview', id: _id, questionCount: questions.length }) as const),
    ...practiceSets
      .slice(0, 3)
      .map(({ _id, questions }) => ({ kind: 'practice', id: _id, questionCount: questions.length }) as const),
  ];
}
