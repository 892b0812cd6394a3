import type { TakeEvent, UploadEvent } from '../features/answering/session/answer-events.ts';
import type { RecordedAnswer } from '../lib/drafts/recorded-answer.ts';

/** A recorded answer of the given size; its bytes are never read. */
export function answerOf(sizeBytes: number): RecordedAnswer {
  return {
    draftId: 'draft',
    blob: { size: sizeBytes } as Blob,
    durationMs: 4000,
  };
}

/** An answer ready to be sent. */
export const spoken = answerOf(20_000);

/** Why a recording ended unexpectedly. */
export const lost = { reason: 'microphone-lost', message: 'gone' } as const;

/** The recorder's event that a recording is complete. */
export function finished(answer = spoken): TakeEvent {
  return { type: 'finished', answer, unexpectedEnd: lost };
}

/** The event that the server has saved a question's answer. */
export function uploaded(askedIndex: number): UploadEvent {
  return {
    type: 'uploaded',
    recording: { _id: `recording-${askedIndex}`, askedIndex },
  };
}
