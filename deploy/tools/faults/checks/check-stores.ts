import type { Edits } from '../load/edits.ts';
import { editNumberOf } from '../load/edits.ts';
import type { Journal } from '../load/journal.ts';
import type { Upload } from '../load/uploads.ts';
import type { StoredRecording, Stores } from './stores.ts';

/** Groups of items with the same key. */
function doubles<Item>(items: readonly Item[], keyOf: (item: Item) => string): [string, Item[]][] {
  const byKey = Map.groupBy(items, keyOf);
  return [...byKey].filter(([, same]) => same.length > 1);
}

const uploadKey = ({ sessionId, questionId, sha256 }: Pick<Upload, 'sessionId' | 'questionId' | 'sha256'>) =>
  `${sessionId}/${questionId}-${sha256}`;

/** Checks that every acknowledged upload is stored once, under the acknowledged id, and that nothing else is stored. */
function checkUploads(uploads: readonly Upload[], stored: readonly StoredRecording[], journal: Journal): void {
  const byKey = Map.groupBy(stored, uploadKey);
  for (const upload of uploads) {
    const { recordingId, operation } = upload;
    const found = byKey.get(uploadKey(upload)) ?? [];
    if (recordingId && !found.some(({ id }) => id === recordingId)) {
      journal.report('lost', `Recording ${recordingId} is not stored`, operation.subject, operation.faults);
    }
    if (found.length > 1) {
      journal.report('doubled', `An upload is stored ${found.length} times`, operation.subject, operation.faults);
    }
  }
  // All uploads are readable, so no fault may fail their processing permanently.
  for (const recording of stored.filter(({ stageStatus }) => stageStatus === 'failed')) {
    journal.report('lost', `The stage ${recording.stage} of recording ${recording.id} failed`, uploadKey(recording));
  }
  const known = new Set(uploads.map(uploadKey));
  for (const recording of stored) {
    const key = uploadKey(recording);
    if (!known.has(key)) journal.report('doubled', `Recording ${recording.id} was never uploaded`, key);
  }
  for (const [key] of doubles(stored, ({ sessionId, questionId, take }) => `${sessionId}/${questionId} take ${take}`)) {
    journal.report('doubled', `${key} is there twice`, key);
  }
}

/** Checks that every recording's object exists with the bytes that were sent, and that there are no other objects. */
async function checkObjects(
  uploads: readonly Upload[],
  stored: readonly StoredRecording[],
  stores: Stores,
  journal: Journal,
): Promise<void> {
  const objects = await stores.objects();
  const uploadByKey = new Map(uploads.map((upload) => [uploadKey(upload), upload]));
  const named = new Set(stored.flatMap(({ objectKeys }) => objectKeys));
  for (const recording of stored) {
    const upload = uploadByKey.get(uploadKey(recording));
    for (const key of recording.objectKeys) {
      if (!objects.has(key)) journal.report('lost', `The object ${key} is missing`, upload?.operation.subject);
    }
    const md5 = objects.get(recording.originalKey);
    if (upload && md5 !== undefined && md5 !== upload.md5) {
      journal.report('lost', `The object ${recording.originalKey} has other bytes`, upload.operation.subject);
    }
  }
  const partPrefixes = await stores.partPrefixes();
  for (const key of objects.keys()) {
    if (named.has(key) || partPrefixes.some((prefix) => key.startsWith(prefix))) continue;
    // The object is written first, so an unacknowledged upload may leave one.
    const upload = [...uploadByKey].find(([of]) => key.startsWith(`recordings/${of}`))?.[1];
    if (!upload || upload.recordingId) {
      journal.report('doubled', `No recording names the object ${key}`, upload?.operation.subject);
    }
  }
}

/** Checks that history shows each recording once, with the stored revision and state, and correct counts. */
async function checkHistory(stored: readonly StoredRecording[], stores: Stores, journal: Journal): Promise<void> {
  const shown = await stores.shownRecordings();
  const shownById = new Map(shown.map((recording) => [recording.id, recording]));
  const subjectOf = ({ sessionId, questionId, sha256 }: StoredRecording) =>
    `${sessionId}/${questionId}-${sha256.slice(0, 12)}`;
  for (const recording of stored) {
    const entry = shownById.get(recording.id);
    const compared = ['revision', 'take', 'stage', 'stageStatus', 'transcriptionStatus', 'entryId'] as const;
    const wrong = compared.filter((field) => entry?.[field] !== recording[field]);
    if (wrong.length > 0) {
      const values = wrong.map((field) => `${field} is ${recording[field]}, shown as ${entry?.[field] ?? 'nothing'}`);
      journal.report('history', `Recording ${recording.id}: ${values.join('; ')}`, subjectOf(recording));
    }
  }
  const storedIds = new Set(stored.map(({ id }) => id));
  for (const { id } of shown.filter((entry) => !storedIds.has(entry.id))) {
    journal.report('doubled', `History shows recording ${id}, which is not stored`);
  }
  const sessions = await stores.shownSessions();
  for (const [sessionId] of doubles(sessions, (session) => session.sessionId)) {
    journal.report('doubled', `History shows the session ${sessionId} twice`, sessionId);
  }
  for (const [sessionId] of doubles(await stores.sessions(), (session) => session.sessionId)) {
    journal.report('doubled', `The session ${sessionId} is stored twice`, sessionId);
  }
  const byEntry = Map.groupBy(stored, ({ entryId }) => entryId);
  for (const { id, sessionId, answeredCount, pendingCount } of sessions) {
    const answers = new Set(byEntry.get(id)?.map(({ questionId }) => questionId)).size;
    if (answeredCount !== answers || pendingCount !== 0) {
      const what = `History counts ${answeredCount} answers of ${answers}, ${pendingCount} of them pending`;
      journal.report('history', what, sessionId);
    }
  }
  const counted = Map.groupBy(
    sessions.filter(({ listKind }) => listKind !== null),
    ({ listKind, userId, technology }) => `${listKind} ${userId} ${technology}`,
  );
  for (const { id, count } of await stores.totals()) {
    const actual = counted.get(id)?.length ?? 0;
    if (actual !== count) journal.report('history', `History's total of "${id}" is ${count}, not ${actual}`, id);
  }
}

/** Checks that catalog has the last acknowledged edit, or a later one that was sent, and that recording's copy equals it. */
async function checkEdits({ setId, acknowledged, sent }: Edits, stores: Stores, journal: Journal): Promise<void> {
  const { catalog, copy } = await stores.setTitles(setId);
  const number = editNumberOf(catalog ?? '');
  const subject = `set ${setId}`;
  if (!(number >= acknowledged && number <= sent)) {
    journal.report('lost', `Edit ${acknowledged} was acknowledged, but ${catalog ?? 'nothing'} is stored`, subject);
  }
  if (copy !== catalog) {
    journal.report('history', `Catalog has ${catalog}, and recording's copy ${copy ?? 'nothing'}`, subject);
  }
}

/** Compares all stored data with the acknowledgements. Call it once the load has stopped and everything has settled. */
export async function checkStores(
  { uploads, edits }: { uploads: readonly Upload[]; edits: Edits },
  stores: Stores,
  journal: Journal,
): Promise<void> {
  const stored = await stores.recordings();
  checkUploads(uploads, stored, journal);
  await checkObjects(uploads, stored, stores, journal);
  await checkHistory(stored, stores, journal);
  await checkEdits(edits, stores, journal);
  for (const { queue, id } of await stores.queuedJobs()) {
    journal.report('pending', `The job ${id} is left in the queue ${queue}`);
  }
}
