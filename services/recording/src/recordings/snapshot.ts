import type { RecordingSnapshot } from '@interview-prep/contracts/snapshots';
import type { Recording } from './model.ts';

/** A recording as history is told of it. */
export function recordingSnapshot(recording: Recording): RecordingSnapshot {
  const { questionId, take, durationMs, peaks, stage, stageStatus, isCorrect, correctnessPercentage } = recording;
  const { transcription, chatGPTResponse, assessment, revision } = recording;
  return {
    recordingId: recording._id.toHexString(),
    createdAt: recording.createdAt.toISOString(),
    mediaType: (recording.playback ?? recording.original).mediaType,
    ...{ questionId, take, durationMs, stage, stageStatus, isCorrect, correctnessPercentage, chatGPTResponse },
    ...{ assessment, revision },
    peaks: [...peaks],
    transcription: { ...transcription, completedAt: transcription.completedAt?.toISOString() ?? null },
  };
}
