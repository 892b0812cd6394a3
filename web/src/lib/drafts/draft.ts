import type { RecordedAnswer } from './recorded-answer.ts';

/** A recorded answer that the server does not have yet: what is known of it beside its sound. */
export interface Draft {
  id: string;
  userId: string;
  setId: string;
  sessionId: string;
  /** Zero-based. */
  questionId: number;
  setTitle: string;
  /** ISO 8601, of the set as it was shown: what is asked stays so, whoever edits the set meanwhile. */
  setUpdatedAt: string;
  technology: string;
  mediaType: string;
  /** Milliseconds since 1970. */
  startedAtMs: number;
}

/** A piece of a recording; the pieces in order are the file. */
export interface Piece {
  blob: Blob;
  /** Milliseconds since 1970. */
  atMs: number;
}

/** A draft with its sound. */
export interface UnsentAnswer extends Draft {
  answer: RecordedAnswer;
  /** Whether the browser's database has all of it; else it is in the memory of this tab. */
  kept: boolean;
}

/** The whole answer of its pieces. */
export function unsentAnswerOf(draft: Draft, pieces: readonly Piece[], kept: boolean): UnsentAnswer {
  const blob = new Blob(
    pieces.map((piece) => piece.blob),
    { type: draft.mediaType },
  );
  const durationMs = Math.max(0, (pieces.at(-1)?.atMs ?? draft.startedAtMs) - draft.startedAtMs);
  return { ...draft, answer: { draftId: draft.id, blob, durationMs }, kept };
}
