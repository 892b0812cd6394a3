import type { Outbox } from '@interview-prep/kit/redis/outbox';
import type { RecordingModels } from '../models.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { Recording } from '../recordings/model.ts';

interface DeleteMediaDeps {
  models: RecordingModels;
  store: ObjectStore;
  outbox: Outbox<Recording>;
}

/** The prefix of the keys of an answer's media: the upload, and its seekable copy. */
export function mediaPrefix({
  sessionId,
  questionId,
  sha256,
}: Pick<Recording, 'sessionId' | 'questionId' | 'sha256'>): string {
  return `recordings/${sessionId}/${questionId}-${sha256}`;
}

/**
 * Deletes the media of a recording whose processing has ended, but not its transcript or verdict.
 * @param afterDays the retention period that applied
 * @returns false if processing was restarted in the meantime
 */
export async function deleteMediaOf(
  recording: Recording,
  afterDays: number,
  { models, store, outbox }: DeleteMediaDeps,
): Promise<boolean> {
  // Delete the media first: if the process dies before the update, the next sweep finds the recording again.
  await store.removeAll(mediaPrefix(recording));
  const deleted = await models.recordings.findOneAndUpdate(
    { _id: recording._id, awaiting: null },
    {
      $set: { mediaDeletion: { at: new Date().toISOString(), afterDays }, unpublished: true },
      $inc: { revision: 1 },
    },
    { returnDocument: 'after' },
  );
  if (deleted) await outbox.publish(deleted);
  return deleted !== null;
}
