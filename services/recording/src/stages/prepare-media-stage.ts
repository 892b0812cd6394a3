import { stat } from 'node:fs/promises';
import { measureSound } from '../media/measure-sound.ts';
import { type PreparedMedia, prepareMedia } from '../media/prepare-media.ts';
import { probeMedia } from '../media/probe-media.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { Recording, StoredMedia } from '../recordings/model.ts';
import { fetchOriginal } from './fetch-original.ts';
import type { StageDeps, StageHandler } from './run-stage.ts';

/** The media stage: makes the media seekable, extracts its audio, and detects whether it contains speech. */
export function prepareMediaStage({ store, work, wavs }: StageDeps): StageHandler {
  return ({ recording, signal }) =>
    work.withFolder(async (folder) => {
      const path = await fetchOriginal(recording, folder, store, signal);
      const facts = await probeMedia(path, recording.container, { signal });
      const { playable, wavPath } = await prepareMedia(path, recording.container, facts, folder, { signal });
      // If the measurement fails, the stored file is deleted with the answer.
      const [sound, playback] = await Promise.all([
        wavPath === null ? null : measureSound(wavPath, signal),
        storePlayable(recording, playable, path, store, signal),
      ]);
      // For the transcription stage, if it runs on this machine.
      if (wavPath && sound?.hasSpeech) await wavs.keep(recording._id.toHexString(), recording.run, wavPath);
      return {
        fields: {
          playback,
          durationMs: sound?.durationMs ?? facts.durationMs,
          peaks: sound?.peaks ?? [],
          silent: !sound?.hasSpeech,
        },
        status: 'completed',
        next: 'transcription',
      };
    });
}

/** Stores the seekable file, unless it is the original. */
async function storePlayable(
  { original }: Recording,
  { path, mediaType, extension }: PreparedMedia['playable'],
  originalPath: string,
  store: ObjectStore,
  signal: AbortSignal,
): Promise<StoredMedia> {
  if (path === originalPath) return { key: original.key, mediaType, sizeBytes: original.sizeBytes };
  const key = `${original.key.replace(/\.\w+$/, '')}-playback.${extension}`;
  const { size } = await stat(path);
  await store.putFile(key, path, size, mediaType, signal);
  return { key, mediaType, sizeBytes: size };
}
