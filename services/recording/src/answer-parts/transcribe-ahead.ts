import { open, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { JobPayload } from '@interview-prep/contracts/events/jobs';
import type { Word } from '@interview-prep/contracts/recording/recordings';
import { repeat } from '@interview-prep/kit/process/repeat';
import type { JobContext } from '@interview-prep/kit/redis/job-queues';
import { publishLiveStatus } from '@interview-prep/kit/redis/live-status';
import { takeTurn } from '@interview-prep/kit/redis/redis';
import { trusted } from 'mongoose';
import type { SpeechWindows, TranscriptionProgress } from '../engines/transcriber.ts';
import { speechHints } from '../glossary/session-glossary.ts';
import { MediaError } from '../media/media-error.ts';
import { extractSound } from '../media/prepare-media.ts';
import { sniffFile } from '../media/sniff-media.ts';
import { wavDurationMs } from '../media/wav-samples.ts';
import { ObjectMissing } from '../object-store/object-store.ts';
import type { Recording } from '../recordings/model.ts';
import { type Session, withSetOfQuestion } from '../sessions/model.ts';
import { findExpertAnswer } from '../sets/find-set.ts';
import type { StageDeps } from '../stages/run-stage.ts';
import type { WavCache } from '../stages/wav-cache.ts';
import { cutOffMs, nextPart, readParts } from './answer-parts.ts';
import type { StoredUpload } from './model.ts';

/** The minimum interval between passes over an answer, and the least share of its length: each pass decodes all of it. */
const everyMs = 3000;
const everyShare = 0.03;
/** The least speech in a window. If transcribing it takes longer than this, the machine can't keep up with the speaker. */
const windowMs = 10_000;
/** How long to pause transcribing ahead if the machine can't keep up. */
const slowPauseMs = 60_000;
/** Captions are cut to the end of the text, which is enough to fill a page. */
const captionMaxCharacters = 2000;
const cutOffSweepMs = 30_000;

/** How long a stage waits at most for windows that are still being transcribed ahead. */
const windowWaitMs = 30_000;
const pollMs = 100;

/** Windows of the answers that this process is transcribing ahead, by upload. */
const beingHeard = new Map<string, SpeechWindows>();

/**
 * The windows of a recording that were transcribed while it was spoken, and those that this process is transcribing. Waits for
 * one that another process is transcribing.
 */
export async function heardAhead(
  { uploadId }: Recording,
  { models, jobs, log }: StageDeps,
  signal: AbortSignal,
): Promise<SpeechWindows> {
  if (!uploadId) return new Map();
  const isElsewhere = async () =>
    !beingHeard.has(uploadId) && ((await (await jobs.queue('ahead').getJob(uploadId))?.isActive()) ?? false);
  const deadline = Date.now() + windowWaitMs;
  try {
    while ((await isElsewhere()) && Date.now() < deadline) await pause(pollMs, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error }, 'could not check whether an answer is still being transcribed');
  }
  return beingHeard.get(uploadId) ?? readWindows(await models.uploads.findById(uploadId, 'heard').lean<StoredUpload>());
}

const readWindows = (upload: Pick<StoredUpload, 'heard'> | null): SpeechWindows =>
  new Map(upload?.heard?.map(([key, window]) => [key, Promise.resolve(window)]));

/** Deletes the intermediate results of a recording's transcription. */
export async function forgetAhead({ uploadId }: Recording, { models, wavs }: StageDeps): Promise<void> {
  if (!uploadId) return;
  await models.uploads.updateOne(
    { _id: uploadId },
    { $unset: { heard: 1, heardMs: 1, partCount: 1 } },
    { timestamps: false },
  );
  await wavs.forget(uploadId);
}

/**
 * Transcribes finished windows of an answer while it is spoken, and publishes its words. Once the candidate has sent all parts, it
 * also transcribes the last windows, while the answer is stored and its media prepared. Does nothing while a finished answer
 * waits, or for a minute after the machine couldn't keep up with the speaker.
 */
export function createAheadHandler(deps: StageDeps) {
  let slowUntil = 0;
  const transcribe = async (upload: StoredUpload, signal: AbortSignal) => {
    const wavPath = await decode(upload, deps, signal).catch((error: unknown) => {
      // The answer is complete by now, and its parts deleted.
      if (error instanceof ObjectMissing) return null;
      throw error;
    });
    if (wavPath === null) return;
    const startedAt = Date.now();
    const windows = await hear(upload, wavPath, deps, signal);
    if (Date.now() - startedAt > Math.max(1, windows) * windowMs) slowUntil = Date.now() + slowPauseMs;
  };
  return async ({ uploadId }: JobPayload<'ahead', 'transcribe-ahead'>, { signal }: JobContext): Promise<void> => {
    const { models, transcriber, wavs } = deps;
    if (!transcriber.worksByWindows || Date.now() < slowUntil) return;
    const upload = await models.uploads.findOne({ _id: uploadId, endedAt: null }).lean<StoredUpload>();
    if (!upload || (await isEarly(upload, wavs)) || !(await wavs.hasRoom())) return;
    const isWaitedFor = { awaiting: trusted({ $in: ['media', 'transcription'] as const }) };
    if (await models.recordings.exists(isWaitedFor)) return;
    await transcribe(upload, signal);
  };
}

/** Transcribes the finished windows of an answer, and stores the new ones. @returns how many */
async function hear(upload: StoredUpload, wavPath: string, deps: StageDeps, signal: AbortSignal): Promise<number> {
  const { models, detector, transcriber, wavs, redis, prefix, log } = deps;
  const { _id: uploadId, sessionId, questionId, userId } = upload;
  const session = await models.sessions.findOne({ sessionId }).lean<Session>();
  const speech = await detector.findSpeech(wavPath, signal, wavs.pathOf(uploadId, 'speech'));
  if (!session || speech.length === 0) return 0;
  const hints = await speechHints(session, questionId, deps);
  const windows = readWindows(upload);
  const before = windows.size;
  beingHeard.set(uploadId, windows);
  const onProgress = ({ text }: TranscriptionProgress) => {
    publishLiveStatus(redis, prefix, { userId, uploadId, text: text.slice(-captionMaxCharacters) }).catch(
      (error: unknown) => log.warn({ err: error }, 'could not publish the words of an answer in progress'),
    );
  };
  try {
    const transcript = await transcriber.transcribe({
      wavPath,
      speech,
      ...hints,
      signal,
      ...((await hasAllParts(upload, deps)) ? {} : { soFarMs: await wavDurationMs(wavPath) }),
      windows,
      onProgress,
    });
    const heard = await Promise.all([...windows].map(async ([key, window]) => [key, await window] as const));
    const found = heard.length - before;
    if (found === 0) return 0;
    const heardMs = transcript.words.at(-1)?.endMs ?? 0;
    // `partCount` is unset once the whole answer has been transcribed.
    const isWanted = { $or: [{ endedAt: null }, { partCount: trusted({ $ne: null }) }] };
    await models.uploads.updateOne({ _id: uploadId, ...isWanted }, { heard, heardMs }, { timestamps: false });
    if (await models.uploads.exists({ _id: uploadId, endedAt: null }))
      await judgeSoFar(upload, session, transcript, deps, signal);
    return found;
  } finally {
    beingHeard.delete(uploadId);
  }
}

/** Whether these are all parts of the answer. The candidate may have sent the last one while they were decoded. */
async function hasAllParts({ _id, parts }: StoredUpload, { models }: StageDeps): Promise<boolean> {
  return (await models.uploads.exists({ _id, partCount: parts.length })) !== null;
}

/** Judges the answer so far, so that at its end only the rest takes time. */
export async function judgeSoFar(
  { kind, questionId }: Pick<Recording, 'kind' | 'questionId'>,
  session: Session,
  { text, words }: { text: string; words: readonly Word[] },
  { assessor, models, log }: StageDeps,
  signal: AbortSignal,
): Promise<void> {
  if (kind !== 'interview' || !assessor.worksAhead) return;
  const expert = await findExpertAnswer(withSetOfQuestion(session, questionId), questionId, models.sets);
  const question = session.questions[questionId] ?? '';
  const { text: expertAnswer, points } = expert ?? {};
  await assessor.assess({ question, transcript: text, words, expertAnswer, points, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    log.warn({ err: error }, 'could not judge an answer in progress');
  });
}

/** Decodes the parts of an answer up to the first missing one. @returns the path of the WAV file; null if nothing can be decoded */
async function decode(upload: StoredUpload, deps: StageDeps, signal: AbortSignal): Promise<string | null> {
  const [path, wavPath] = [deps.wavs.pathOf(upload._id, 'media'), deps.wavs.pathOf(upload._id, 'wav')];
  const container = await fetchParts(upload, path, deps, signal);
  if (!container) return null;
  try {
    await extractSound(path, container, wavPath, { signal });
    return wavPath;
  } catch (error) {
    if (error instanceof MediaError) return null;
    throw error;
  }
}

/** Appends the missing parts to the file at `path`, which another worker on this machine may have begun. @returns its container */
async function fetchParts(upload: StoredUpload, path: string, { store }: StageDeps, signal: AbortSignal) {
  const count = nextPart(upload);
  const sizes = new Map(upload.parts.map(({ number, sizeBytes }) => [number, sizeBytes]));
  await using file = await open(path, 'a+', 0o600);
  const { size } = await file.stat();
  let [from, keptBytes] = [0, 0];
  // A killed worker may have left a partial part.
  while (from < count && keptBytes + (sizes.get(from) ?? 0) <= size) keptBytes += sizes.get(from++) ?? 0;
  await file.truncate(keptBytes);
  for await (const bytes of readParts(upload, { from, count }, store, signal)) await file.appendFile(bytes);
  return (await sniffFile(path))?.container;
}

/** Whether it is too early for another pass, or no new window can have ended since the last one. */
async function isEarly({ _id, partCount, receivedBytes, heardMs = 0 }: StoredUpload, wavs: WavCache): Promise<boolean> {
  if (partCount) return false;
  const [mediaPath, wavPath] = [wavs.pathOf(_id, 'media'), wavs.pathOf(_id, 'wav')];
  try {
    const [{ size }, { mtimeMs }] = await Promise.all([stat(mediaPath), stat(wavPath)]);
    const decodedMs = await wavDurationMs(wavPath);
    const receivedMs = (decodedMs * receivedBytes) / size;
    const nextMs = mtimeMs + Math.max(everyMs, decodedMs * everyShare);
    return Date.now() < nextMs || receivedMs < heardMs + windowMs;
  } catch {
    // There was no pass on this machine.
    return false;
  }
}

export async function measureCutOffs(deps: StageDeps, signal: AbortSignal): Promise<void> {
  const lastPartAt = trusted({ $lt: new Date(Date.now() - cutOffMs) });
  const cutOff = deps.models.uploads.find({ endedAt: null, lastPartAt, durationMs: null }).lean<StoredUpload[]>();
  for (const upload of await cutOff) {
    const wavPath = await decode(upload, deps, signal);
    const durationMs = wavPath === null ? 0 : await wavDurationMs(wavPath);
    await deps.wavs.forget(upload._id);
    // Skipped if the candidate has resumed.
    const { _id, lastPartAt: seenAt } = upload;
    await deps.models.uploads.updateOne({ _id, lastPartAt: seenAt }, { $set: { durationMs } }, { timestamps: false });
  }
}

/** Measures now and every 30 s, in one of several workers. @returns a function that stops it */
export function startMeasuringCutOffs(deps: StageDeps): () => Promise<void> {
  const stopping = new AbortController();
  const stop = repeat(
    cutOffSweepMs,
    async () => (await takeTurn(deps, 'cut-offs', cutOffSweepMs)) && measureCutOffs(deps, stopping.signal),
    (error) => deps.log.warn({ err: error }, 'could not measure an answer that was cut off'),
  );
  return () => {
    stopping.abort();
    return stop();
  };
}
