import type { TakeEvent, UploadEvent } from '../features/answering/session/answer-events.ts';
import type { RecordedAnswer } from '../lib/drafts/recorded-answer.ts';

/** A recorded answer of a size; nothing reads its bytes. */
export function answerOf(sizeBytes: number): RecordedAnswer {
  return {
    draftId: 'draft',
    blob: { size: sizeBytes } as Blob,
    durationMs: 4000,
  };
}

/** An answer that may be sent. */
export const spoken = answerOf(20_000);

/** Why a recording ended by itself. */
export const lost = { reason: 'microphone-lost', message: 'gone' } as const;

/** The recorder's word that a recording is whole. */
export function finished(answer = spoken): TakeEvent {
  return { type: 'finished', answer, unexpectedEnd: lost };
}

/** The server's word that a question's answer is saved. */
export function uploaded(askedIndex: number): UploadEvent {
  return {
    type: 'uploaded',
    recording: { _id: `recording-${askedIndex}`, askedIndex },
  };
}
