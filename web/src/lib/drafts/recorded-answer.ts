import { limits } from '@interview-prep/contracts/api/limits';
import { messages } from '../messages.ts';

/** Why a recording of this size can't be sent; null if it can. Source: product specification, section 5. */
export function answerSizeError(sizeBytes: number): string | null {
  if (sizeBytes < limits.recordingMinBytes) return messages.recorder.tooShort;
  if (sizeBytes > limits.recordingMaxBytes) return messages.recorder.tooLarge;
  return null;
}

/** A complete recorded answer. `draftId` is the key of its copy in the browser's database. */
export interface RecordedAnswer {
  draftId: string;
  blob: Blob;
  durationMs: number;
  /** Whether the level meter heard nothing at all; absent if unknown. */
  silent?: boolean;
}
