import type { InterviewDetail, PracticeDetail } from '@interview-prep/contracts/history/history';
import type { Random } from '../random.ts';
import type { Client } from './client.ts';
import type { Journal } from './journal.ts';
import type { Upload } from './uploads.ts';

type Page = { recordings: { _id: string; sessionId: string; answeredCount: number }[]; total: number };
type Detail = Pick<PracticeDetail, 'recordings'> | Pick<InterviewDetail, 'recordings'>;

/** The parts of their history that a user has seen, which must not disappear again. */
interface Seen {
  total: Map<string, number>;
  answered: Map<string, number>;
  /** The take, and whether it was processed, by session and question. */
  takes: Map<string, number>;
}

const PATHS = {
  interview: { list: '/api/interviews/history', detail: '/api/interviews/' },
  practice: { list: '/api/practice/history', detail: '/api/practice/details/' },
} as const;

const keyOf = ({ sessionId, questionId }: Pick<Upload, 'sessionId' | 'questionId'>) =>
  `question ${questionId} of ${sessionId}`;

/** Reads the history of one user and checks that reads are monotonic: each shows at least the results of all reads that ended before it. */
export function createHistoryReader(
  client: Client,
  random: Random,
  journal: Journal,
  uploads: readonly Upload[],
): () => Promise<void> {
  const seen: Seen = { total: new Map(), answered: new Map(), takes: new Map() };
  const entryIds = new Map<string, string>();

  const markThrough = (take: number, isIt: (upload: Upload) => boolean) => {
    for (const upload of uploads) if (upload.take <= take && isIt(upload)) upload.isThrough = true;
  };

  /** Compares a read with the state seen before it began, then updates that state. */
  const check = (
    map: Map<string, number>,
    before: Map<string, number>,
    key: string,
    value: number,
    subject: string,
  ) => {
    const least = before.get(key);
    if (least !== undefined && value < least) {
      journal.report('monotonic', `${key} went from ${least} back to ${value}`, subject);
    }
    map.set(key, Math.max(map.get(key) ?? 0, value));
  };

  const readList = async (kind: Upload['kind']) => {
    const before = { total: new Map(seen.total), answered: new Map(seen.answered) };
    const operation = journal.begin(client.email, 'read', `history of ${client.email}`);
    const answer = await client.call(operation, { method: 'GET', path: `${PATHS[kind].list}?limit=30` });
    journal.end(operation, answer?.status === 200);
    if (answer?.status !== 200) return;
    const { recordings, total } = answer.body as Page;
    check(seen.total, before.total, `the number of ${kind} sessions`, total, operation.subject);
    for (const { _id, sessionId, answeredCount } of recordings) {
      entryIds.set(sessionId, _id);
      check(seen.answered, before.answered, `the number of answers in ${sessionId}`, answeredCount, sessionId);
    }
  };

  const readDetail = async ({ kind, sessionId }: Upload) => {
    const id = kind === 'practice' ? sessionId : entryIds.get(sessionId);
    if (!id) return readList(kind);
    const before = new Map(seen.takes);
    const operation = journal.begin(client.email, 'read', sessionId);
    const answer = await client.call(operation, { method: 'GET', path: PATHS[kind].detail + id });
    journal.end(operation, answer?.status === 200 || answer?.status === 404);
    const { recordings = [] } = (answer?.status === 200 ? answer.body : {}) as Partial<Detail>;
    const shown = new Map(
      recordings.map((recording) => [keyOf({ sessionId, questionId: recording.questionId }), recording]),
    );
    if (answer?.status !== 200 && answer?.status !== 404) return;
    for (const key of new Set([...before.keys(), ...shown.keys()])) {
      if (!key.endsWith(sessionId)) continue;
      const recording = shown.get(key);
      const isThrough = recording !== undefined && recording.transcription.status !== 'pending';
      // Takes never go back, and a transcript never becomes pending again.
      if (isThrough) markThrough(recording.take, (upload) => key === keyOf(upload));
      check(seen.takes, before, key, recording ? recording.take * 2 + (isThrough ? 1 : 0) : 0, sessionId);
    }
  };

  return async () => {
    const own = uploads.filter(({ user, recordingId }) => user === client.email && recordingId);
    const waiting = own.filter(({ isThrough }) => !isThrough);
    const candidates = waiting.length > 0 && random.next() < 0.7 ? waiting : own.slice(-12);
    if (candidates.length === 0 || random.next() < 0.3) await readList(random.pick(['interview', 'practice']));
    else await readDetail(random.pick(candidates));
  };
}
