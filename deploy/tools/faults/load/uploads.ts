import { createHash, randomUUID } from 'node:crypto';
import { silentRecording } from '../../silent-recording.ts';
import type { Random } from '../random.ts';
import type { Answer, Client } from './client.ts';
import type { Journal, Operation } from './journal.ts';

/** The maximum attempts to complete an upload: one per part, and one more. */
const MAX_ROUNDS = 10;
const MAX_PARTS = 6;

/**
 * Sends an answer in parts like a browser on a bad day: parts are sent twice, out of order, and by two tabs concurrently; one
 * is lost until the product reports it as missing. A call without a response is retried.
 * @returns the response to the completion; undefined if there was none
 */
async function sendInParts(
  client: Client,
  { operation, target, bytes }: { operation: Operation; target: object; bytes: Uint8Array<ArrayBuffer> },
  random: Random,
  journal: Journal,
): Promise<Answer | undefined> {
  const path = `/api/uploads/${randomUUID()}`;
  const begun = await client.call(operation, { method: 'PUT', path, body: target });
  if (begun?.status !== 200) return begun;
  const sizeBytes = Math.ceil(bytes.length / (2 + random.below(MAX_PARTS - 1)));
  const count = Math.ceil(bytes.length / sizeBytes);
  const send = (number: number) => {
    const body = bytes.slice(number * sizeBytes, (number + 1) * sizeBytes);
    return client.call(operation, { method: 'PUT', path: `${path}/parts/${number}`, body });
  };
  const complete = async () => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const answer = await client.call(operation, { method: 'POST', path: `${path}/complete`, body: { parts: count } });
      if (answer?.status !== 409) return answer;
      const found = await client.call(operation, { method: 'GET', path });
      await send((found?.body as { upload: { nextPart: number } } | undefined)?.upload.nextPart ?? 0);
    }
    return undefined;
  };
  const sendAll = async () => {
    const numbers = Array.from({ length: count }, (_, number) => number);
    const lost = random.pick(numbers);
    const twice = numbers.filter(() => random.next() < 0.3);
    for (const number of random.shuffled([...numbers, ...twice])) if (number !== lost) await send(number);
    return complete();
  };
  const tabs = random.next() < 0.3 ? 2 : 1;
  const answers = await Promise.all(Array.from({ length: tabs }, sendAll));
  const ids = new Set(answers.flatMap((answer) => idOf(answer) ?? []));
  if (ids.size > 1)
    journal.report('doubled', `Two tabs made ${ids.size} recordings`, operation.subject, operation.faults);
  return answers.find(idOf) ?? answers[0];
}

const idOf = (answer: Answer | undefined) =>
  (answer?.body as { recording?: { _id?: string } } | undefined)?.recording?._id;

export interface Upload {
  operation: Operation;
  user: string;
  kind: 'interview' | 'practice';
  sessionId: string;
  questionId: number;
  sha256: string;
  md5: string;
  /** The id assigned by the product; undefined until acknowledged. */
  recordingId: string | undefined;
  /** The id of its session's detail; undefined until acknowledged. */
  detailId: string | undefined;
  take: number;
  /** Whether the user has seen a transcript of it, or of a later take. */
  isThrough: boolean;
}

/** A set that can be answered. */
export interface AnswerableSet {
  kind: Upload['kind'];
  id: string;
  questionCount: number;
}

/** The number of answers per session, after which the user starts a new one. */
const ANSWERS_PER_SESSION = 4;
/** The maximum of unprocessed answers per user, which adapts the load to the machine's speed. */
const MAX_WAITING = 3;

const PARTS_SHARE = 0.5;

const FORMS = {
  interview: { path: '/api/interviews/recordings', setId: 'interviewSetId', file: 'audio' },
  practice: { path: '/api/practice/recordings', setId: 'practiceSetId', file: 'file' },
} as const;

async function sendWhole(
  client: Client,
  answer: {
    operation: Operation;
    target: Pick<Upload, 'kind' | 'sessionId' | 'questionId'> & { setId: string };
    bytes: Uint8Array<ArrayBuffer>;
  },
): Promise<Answer | undefined> {
  const { kind, sessionId, questionId, setId } = answer.target;
  const { path, setId: setName, file } = FORMS[kind];
  const form = new FormData();
  for (const [name, value] of Object.entries({ sessionId, questionId, [setName]: setId }))
    form.set(name, String(value));
  form.set(file, new Blob([answer.bytes], { type: 'audio/wav' }), 'answer.wav');
  return client.call(answer.operation, { method: 'POST', path, body: form });
}

/** Uploads the answers of one user sequentially. @returns a function that uploads the next one */
export function createUploader(
  client: Client,
  sets: readonly AnswerableSet[],
  random: Random,
  journal: Journal,
  uploads: Upload[],
): () => Promise<void> {
  let session = { id: '', set: sets[0] as AnswerableSet, answers: ANSWERS_PER_SESSION };
  return async () => {
    const waiting = uploads.filter(
      ({ user, isThrough, recordingId }) => user === client.email && recordingId && !isThrough,
    );
    if (waiting.length >= MAX_WAITING) return;
    if (session.answers === ANSWERS_PER_SESSION) session = { id: randomUUID(), set: random.pick(sets), answers: 0 };
    session.answers += 1;
    const { id: sessionId, set } = session;
    const bytes = new Uint8Array(silentRecording(String(random.next())));
    // Sometimes repeats a question, for another take.
    const questionId = random.below(Math.min(set.questionCount, ANSWERS_PER_SESSION - 1));
    const hash = (name: string) => createHash(name).update(bytes).digest('hex');
    const sha256 = hash('sha256');
    const operation = journal.begin(client.email, 'upload', `${sessionId}/${questionId}-${sha256.slice(0, 12)}`);
    const upload: Upload = {
      operation,
      user: client.email,
      kind: set.kind,
      sessionId,
      questionId,
      sha256,
      md5: hash('md5'),
      recordingId: undefined,
      detailId: undefined,
      take: 0,
      isThrough: false,
    };
    uploads.push(upload);
    const target = { kind: set.kind, setId: set.id, sessionId, questionId };
    const answer =
      random.next() < PARTS_SHARE
        ? await sendInParts(client, { operation, target, bytes }, random, journal)
        : await sendWhole(client, { operation, target, bytes });
    const { recording } = (answer?.body ?? {}) as {
      recording?: { _id: string; take: number; interviewId?: string };
    };
    upload.recordingId = recording?._id;
    upload.detailId = recording?.interviewId ?? sessionId;
    upload.take = recording?.take ?? 0;
    if (answer && !upload.recordingId) {
      journal.report('status', `An upload answered ${answer.status}`, operation.subject, operation.faults);
    }
    journal.end(operation, upload.recordingId !== undefined);
  };
}
