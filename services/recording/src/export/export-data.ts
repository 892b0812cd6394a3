import { once } from 'node:events';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { AccountData } from '@interview-prep/contracts/auth/account-data';
import { RecordingSnapshot, SessionSnapshot } from '@interview-prep/contracts/events/snapshots';
import { hiddenFeedback, isFeedbackShown } from '@interview-prep/contracts/recording/assignments';
import { withoutReviewers } from '@interview-prep/contracts/recording/recordings';
import { transcriptionText } from '@interview-prep/contracts/recording/transcription-text';
import { webVtt } from '@interview-prep/contracts/recording/web-vtt';
import { ZipFile } from 'yazl';
import { nextPart, readParts } from '../answer-parts/answer-parts.ts';
import type { StoredUpload } from '../answer-parts/model.ts';
import { workNaming } from '../assignments/assigned-work.ts';
import { sniffMedia } from '../media/sniff-media.ts';
import type { RecordingModels } from '../models.ts';
import { ObjectMissing, type ObjectStore } from '../object-store/object-store.ts';
import type { Recording } from '../recordings/model.ts';
import type { Session } from '../sessions/model.ts';
import { accountPage, type ExportedAnswer, type ExportedSession, indexPage, sessionPage } from './export-pages.ts';

export interface ExportDeps {
  models: RecordingModels;
  store: ObjectStore;
}

/** Ids, revisions, the state of the processing and the waveform are left out; every other field is exported. */
const recordingFields = Object.keys(
  RecordingSnapshot.omit({ recordingId: true, revision: true, stage: true, stageStatus: true, peaks: true }).shape,
);
const sessionFields = Object.keys(
  SessionSnapshot.omit({ entryId: true, sessionId: true, setId: true, userId: true, user: true, revision: true }).shape,
);

function pick(document: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)));
}

/** The date, the title in characters that every file system supports, and part of the id for uniqueness. */
function folderOf({ createdAt, title, sessionId }: Session): string {
  const words = title
    .normalize('NFKD')
    .replace(/[^\w]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return `sessions/${[createdAt.toISOString().slice(0, 10), words, sessionId.slice(0, 8)].filter(Boolean).join('-')}`;
}

const nameOf = ({ questionId, take }: Recording): string => `question-${questionId + 1}-take-${take}`;

async function openMedia(recording: Recording, store: ObjectStore, signal: AbortSignal): Promise<Readable | null> {
  if (recording.mediaDeletion) return null;
  try {
    return await store.get((recording.playback ?? recording.original).key, { signal });
  } catch (error) {
    if (error instanceof ObjectMissing) return null;
    throw error;
  }
}

/**
 * Streams all of a user's data as a zip file. Reads one recording at a time with backpressure, so
 * memory use stays flat.
 * @param signal aborts when the client disconnects
 * @returns the zip file; destroyed with the error if a store fails
 */
export function exportData(account: AccountData, { models, store }: ExportDeps, signal: AbortSignal): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  // An aborted transfer.
  zip.on('error', (error) => output.destroy(error));
  const addText = (path: string, text: string) => zip.addBuffer(Buffer.from(text), path);

  const addAnswer = async (folder: string, stored: Recording, { assignment }: Session): Promise<ExportedAnswer> => {
    const recording =
      assignment && !isFeedbackShown(assignment)
        ? { ...stored, ...hiddenFeedback(assignment), guestFeedback: [] }
        : stored;
    const { transcription, createdAt } = recording;
    const name = nameOf(recording);
    addText(`${folder}/${name}.txt`, `${transcriptionText(transcription)}\n`);
    addText(`${folder}/${name}.vtt`, webVtt(transcription.words ?? []));
    const fields = pick({ ...recording, assessment: withoutReviewers(recording.assessment) }, recordingFields);
    addText(`${folder}/${name}.json`, `${JSON.stringify(fields, undefined, 2)}\n`);
    const media = await openMedia(recording, store, signal);
    if (!media) return { recording, mediaName: null, name };
    const mediaName = `${name}${extname((recording.playback ?? recording.original).key)}`;
    // Media is already compressed. Waiting for each file keeps the queue short.
    zip.addReadStream(media, `${folder}/${mediaName}`, { compress: false, mtime: createdAt });
    await once(media, 'end', { signal });
    return { recording, mediaName, name };
  };

  /** Adds an answer that is still being spoken, or was cut off, unless it was just completed. */
  const addUnfinished = async (folder: string, upload: StoredUpload) => {
    try {
      const bytes = await buffer(Readable.from(readParts(upload, { count: nextPart(upload) }, store, signal)));
      const ending = sniffMedia(bytes)?.extension ?? 'part';
      const name = `question-${upload.questionId + 1}-unfinished-${upload._id.slice(0, 8)}.${ending}`;
      zip.addBuffer(bytes, `${folder}/${name}`, { compress: false, mtime: upload.startedAt });
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error;
    }
  };

  const addSession = async (session: Session): Promise<{ folder: string; session: ExportedSession }> => {
    const folder = folderOf(session);
    const { title, technology, kind, createdAt, expertAnswers } = session;
    const answers: ExportedAnswer[] = [];
    const found = models.recordings.find({ session: session._id }).sort({ questionId: 1, take: 1 }).lean<Recording[]>();
    for (const recording of await found) answers.push(await addAnswer(folder, recording, session));
    // An interview reveals an expert answer once its question is answered. Practice shows all of them from the start.
    const isShown = (id: number) =>
      isFeedbackShown(session.assignment) &&
      (kind === 'practice' || answers.some(({ recording }) => recording.questionId === id));
    const shownAnswers = expertAnswers.map((text, id) => (isShown(id) ? text : ''));
    const head = { ...pick(session, sessionFields), expertAnswers: shownAnswers };
    const unfinished = models.uploads.find({ sessionId: session.sessionId, endedAt: null }).lean<StoredUpload[]>();
    for (const upload of await unfinished) await addUnfinished(folder, upload);
    addText(`${folder}/session.json`, `${JSON.stringify(head, undefined, 2)}\n`);
    addText(`${folder}/index.html`, sessionPage({ ...session, expertAnswers: shownAnswers }, answers));
    return { folder, session: { title, technology, kind, createdAt } };
  };

  const addAll = async () => {
    const sessions: { folder: string; session: ExportedSession }[] = [];
    const { id: userId, email } = account.user;
    addText('account/account.json', `${JSON.stringify(account, undefined, 2)}\n`);
    addText('account/index.html', accountPage(account));
    const work = await workNaming(userId, models);
    if (work.length > 0) addText('account/assigned-work.json', `${JSON.stringify(work, undefined, 2)}\n`);
    const kept = await models.reviewSnippets.findById(userId).lean();
    if (kept) {
      const snippets = kept.snippets.map(({ name, text }) => ({ name, text }));
      addText('account/review-snippets.json', `${JSON.stringify(snippets, undefined, 2)}\n`);
    }
    for await (const session of models.sessions.find({ userId }).sort({ createdAt: -1 }).lean<Session[]>().cursor()) {
      sessions.push(await addSession(session as Session));
    }
    addText('index.html', indexPage(email, sessions));
    zip.end();
  };
  addAll().catch((error: unknown) => output.destroy(error as Error));
  return output;
}
