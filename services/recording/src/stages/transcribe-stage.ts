import { join } from 'node:path';
import { SpokenLanguage } from '@interview-prep/contracts/catalog/spoken-languages';
import type { Delivery } from '@interview-prep/contracts/recording/delivery';
import { publishLiveStatus } from '@interview-prep/kit/redis/live-status';
import { forgetAhead, heardAhead, judgeSoFar } from '../answer-parts/transcribe-ahead.ts';
import { ChildCrash, ChildFailure } from '../children/warm-children.ts';
import { measureDelivery } from '../delivery/measure-delivery.ts';
import type { Transcript, TranscriptionProgress } from '../engines/transcriber.ts';
import { speechHints } from '../glossary/session-glossary.ts';
import { measureClarity } from '../media/measure-clarity.ts';
import { extractSound } from '../media/prepare-media.ts';
import { wavDurationMs } from '../media/wav-samples.ts';
import type { Recording } from '../recordings/model.ts';
import { withSetOfQuestion } from '../sessions/model.ts';
import type { Span } from '../speech-detector/speech-spans.ts';
import { fetchOriginal } from './fetch-original.ts';
import type { StageDeps, StageHandler, StageOutcome } from './run-stage.ts';

/** Keeps messages small: the rest of a longer text appears with the finished transcript. */
const textMaxCharacters = 2000;

/** The `engine` of an empty transcript for a recording without speech. No engine is run, since Whisper hallucinates text for silence. */
export const silenceCheck = 'silence check';

/** The transcription stage: turns the recording's speech into text. Audio without speech gives an empty transcript. */
export function transcribeStage(deps: StageDeps): StageHandler {
  return async ({ recording, session: whole, signal }) => {
    const session = withSetOfQuestion(whole, recording.questionId);
    if (recording.silent) return outcomeOf(recording, { text: '', words: [], engine: silenceCheck });
    deps.transcriber.prepare?.();
    const recordingId = recording._id.toHexString();
    const [hints, windows] = await Promise.all([
      speechHints(whole, recording.questionId, deps),
      heardAhead(recording, deps, signal),
    ]);

    const transcribe = async (wavPath: string) => {
      const speech = await findSpeech(wavPath, recording, deps, signal);
      if (speech.length === 0) return { text: '', words: [], engine: silenceCheck };
      const publish = publishProgress(recording, deps);
      const onProgress = (progress: TranscriptionProgress) => {
        publish(progress);
        // Send the remaining words before the assessment stage starts.
        if (progress.percent < 100) judgeSoFar(recording, whole, progress, deps, signal).catch(() => undefined);
      };
      const [ahead, startedAt] = [windows.size, performance.now()];
      const [heard, clarity, durationMs] = await Promise.all([
        deps.transcriber.transcribe({ wavPath, speech, ...hints, windows, signal, onProgress }),
        measureClarity(wavPath, speech, signal),
        wavDurationMs(wavPath),
      ]);
      deps.metrics.windows.inc({ when: 'ahead' }, ahead);
      deps.metrics.windows.inc({ when: 'after' }, windows.size - ahead);
      deps.metrics.speechSeconds.inc(durationMs / 1000);
      if (durationMs > 0) deps.metrics.realTime.observe((performance.now() - startedAt) / durationMs);
      const { lengthHintSeconds } = session;
      return { ...heard, delivery: measureDelivery({ ...heard, speech, durationMs, lengthHintSeconds, clarity }) };
    };

    // The media stage cached the audio if it ran on this machine; else extract it again.
    const kept = await deps.wavs.find(recordingId, recording.run);
    const transcript = kept
      ? await transcribe(kept)
      : await deps.work.withFolder(async (folder) => {
          const path = await fetchOriginal(recording, folder, deps.store, signal);
          const wavPath = join(folder, 'sound.wav');
          await extractSound(path, recording.container, wavPath, { signal });
          return transcribe(wavPath);
        });
    await deps.wavs.drop(recordingId, recording.run);
    await forgetAhead(recording, deps);
    return outcomeOf(recording, transcript);
  };
}

/** The detected speech segments; the whole recording if the detector fails, since engines work without it. */
async function findSpeech(
  wavPath: string,
  { uploadId }: Recording,
  { detector, wavs, log }: StageDeps,
  signal: AbortSignal,
): Promise<Span[]> {
  try {
    return await detector.findSpeech(wavPath, signal, uploadId && wavs.pathOf(uploadId, 'speech'));
  } catch (error) {
    if (!(error instanceof ChildCrash || error instanceof ChildFailure)) throw error;
    log.warn({ err: error }, 'the speech detector failed');
    return [{ fromMs: 0, toMs: await wavDurationMs(wavPath) }];
  }
}

function outcomeOf(
  { kind }: Recording,
  transcript: Omit<Transcript, 'language'> & { language?: string; delivery?: Delivery },
): StageOutcome {
  const { text, words, engine, delivery, gaps = [] } = transcript;
  // A server may report a language that isn't in the list.
  const { data: language } = SpokenLanguage.safeParse(transcript.language);
  return {
    fields: {
      transcription: {
        status: 'completed',
        text,
        words,
        completedAt: new Date(),
        engine,
        ...(language ? { language } : {}),
        ...(gaps.length > 0 ? { gaps } : {}),
      },
      ...(delivery ? { delivery } : {}),
    },
    status: 'completed',
    // Practice answers are not judged.
    next: kind === 'interview' ? 'assessment' : null,
  };
}

/**
 * Publishes a transcription's progress and first words to the owner's open pages. A message that
 * is lost does no harm: the next one repeats it, and the finished transcript is stored.
 */
function publishProgress(
  { _id, sessionId, userId }: Recording,
  { redis, prefix, log }: Pick<StageDeps, 'redis' | 'prefix' | 'log'>,
): (progress: TranscriptionProgress) => void {
  const startedAt = performance.now();
  return ({ percent, text }) => {
    const leftMs = ((performance.now() - startedAt) * (100 - percent)) / Math.max(1, percent);
    publishLiveStatus(redis, prefix, {
      userId,
      sessionId,
      recordingId: _id.toHexString(),
      stage: 'transcription',
      status: 'started',
      progress: { percent, text: text.slice(0, textMaxCharacters) },
      estimate: { ahead: 0, readyInMs: Math.round(leftMs) },
    }).catch((error: unknown) => log.warn({ err: error }, 'could not publish progress'));
  };
}
