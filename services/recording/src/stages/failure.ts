import type { Stage } from '@interview-prep/contracts/recordings';
import { HttpError } from '@interview-prep/kit/http-error';
import { UnrecoverableError } from 'bullmq';
import { EngineError } from '../engines/engine-error.ts';
import { MediaError } from '../media/media-error.ts';
import type { Recording } from '../recordings/model.ts';

/** Whether trying again is of no use. */
export const isPermanent = (error: unknown): boolean =>
  error instanceof UnrecoverableError ||
  ((error instanceof EngineError || error instanceof MediaError) && error.permanent);

const meant = [EngineError, MediaError, UnrecoverableError, HttpError] as const;

/** Why a stage failed, for a person to read; what was not foreseen is only in the log. */
export function failureReason(error: unknown): string {
  const readable = error instanceof Error && meant.some((kind) => error instanceof kind);
  return readable ? error.message : 'Something went wrong while processing the recording';
}

/** What a recording looks like when a stage has failed for good: what depends on the stage has failed with it. */
export function failureFields(stage: Stage, recording: Recording, reason: string): Partial<Recording> {
  if (stage === 'assessment') return { assessment: { status: 'failed', reason } };
  return {
    transcription: { status: 'failed', text: '', completedAt: null, error: reason },
    ...(recording.kind === 'interview'
      ? { assessment: { status: 'failed', reason: 'There is no transcription to judge' } }
      : {}),
  };
}
