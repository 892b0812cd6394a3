import { publishLiveStatus } from '@interview-prep/kit/redis/live-status';
import type { TranscriptionProgress } from '../engines/transcriber.ts';
import type { Recording } from '../recordings/model.ts';
import type { StageDeps } from './run-stage.ts';

/** Keeps messages small: the rest of a longer text appears with the finished transcript. */
const textMaxCharacters = 2000;

/**
 * Publishes how far a transcription is, and its first words, to the owner's open pages. A message that
 * is lost does no harm: the next one repeats it, and the finished transcript is stored.
 */
export function publishProgress(
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
