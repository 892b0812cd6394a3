import { measureSound } from './measure-sound.ts';
import { type PreparedMedia, prepareMedia } from './prepare-media.ts';
import { type MediaFacts, probeMedia } from './probe-media.ts';
import type { Container } from './sniff-media.ts';

/** Everything that the media stage finds out about a recording and makes of it. */
export interface ReadRecording extends PreparedMedia {
  facts: MediaFacts;
  /** null where it cannot be told. */
  durationMs: number | null;
  /** False where there is no sound track, or only silence or steady noise on it: there is nothing to transcribe. */
  hasSpeech: boolean;
  /** Loudness over time, 0–1; empty where there is no sound track. */
  peaks: number[];
}

/**
 * The media stage: probes a recording, makes it seekable, takes its sound out and measures it. Writes into `folder`,
 * which is the caller's to remove. Throws MediaError, or the signal's reason.
 */
export const readRecording = async (
  path: string,
  container: Container,
  folder: string,
  signal: AbortSignal,
): Promise<ReadRecording> => {
  const facts = await probeMedia(path, container, { signal });
  const prepared = await prepareMedia(path, container, facts, folder, { signal });
  const sound = prepared.wavPath ? await measureSound(prepared.wavPath, signal) : null;
  // What was recorded in a browser says how long it is only once it is written anew; the picture may outlast the sound.
  const written = facts.hasVideo ? await probeMedia(prepared.playable.path, null, { signal }) : facts;
  const durations = [sound?.durationMs, written.durationMs].filter((duration) => typeof duration === 'number');
  return {
    ...prepared,
    facts,
    durationMs: durations.length > 0 ? Math.max(...durations) : null,
    hasSpeech: sound?.hasSpeech ?? false,
    peaks: sound?.peaks ?? [],
  };
};
