import type { HydratedDocument } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { Recording } from './model.ts';

/**
 * Begins another run of what failed or was left unscored, from that stage on.
 * @returns the recording, awaiting that stage; null where there is nothing to do, or someone else was faster
 */
export async function restart(
  recording: Recording,
  { recordings }: RecordingModels,
  requestId: string,
): Promise<HydratedDocument<Recording> | null> {
  const { _id, stage, stageStatus, run, awaiting } = recording;
  const open = stageStatus === 'failed' || (stageStatus === 'unscored' && recording.kind === 'interview');
  if (awaiting !== undefined || !open) return null;
  return recordings.findOneAndUpdate(
    { _id, run, stageStatus, awaiting: null },
    {
      $set: {
        ...{ awaiting: stage, stageStatus: 'pending', interruptions: 0, outage: null, requestId, unpublished: true },
        // What was transcribed stays where only the assessment runs again.
        ...(stage === 'assessment' ? {} : { transcription: { status: 'pending', text: '', completedAt: null } }),
        ...(recording.kind === 'interview' ? { assessment: { status: 'pending' } } : {}),
      },
      $inc: { run: 1, revision: 1 },
    },
    { returnDocument: 'after' },
  );
}
