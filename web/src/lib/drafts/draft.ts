import type { NamedQuestion } from '@interview-prep/contracts/recording/question-sources';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import type { RecordedAnswer } from './recorded-answer.ts';

/** A recorded answer that is not uploaded yet, without its media. */
export interface Draft {
  id: string;
  /** Absent in drafts of older releases. */
  kind?: SessionKind;
  userId: string;
  setId: string;
  sessionId: string;
  /** Zero-based. */
  questionId: number;
  /** The questions that the session asks, zero-based; absent if it asks the whole set. */
  askedQuestions?: readonly number[];
  /** The questions of a session that mixes several sets. */
  sources?: readonly NamedQuestion[];
  /** The assignment that the session is for. */
  assignmentId?: string;
  setTitle: string;
  /** ISO 8601. The revision of the set that was shown, so that a later edit doesn't change the questions. */
  setUpdatedAt: string;
  mediaType: string;
  /** Milliseconds since 1970. */
  startedAtMs: number;
}

/** The fields of a draft that are readable without the key: ids, times and numbers. */
export type DraftHead = Pick<Draft, 'id' | 'kind' | 'userId' | 'setId' | 'sessionId' | 'questionId' | 'startedAtMs'>;

/** A draft that can't be read: 'no-key' until the key is loaded, 'unreadable' if the user's key doesn't decrypt it. */
export interface LockedDraft extends DraftHead {
  locked: 'no-key' | 'unreadable';
  sizeBytes: number;
}

/** Why a draft can't be sent, in words. */
export const lockedReasons: Readonly<Record<LockedDraft['locked'], string>> = {
  'no-key': 'It is encrypted, and its key cannot be loaded right now. Stay signed in, and try again later.',
  unreadable: 'It cannot be read: it was encrypted with another key, or it is damaged.',
};

/** A chunk of a recording; concatenated in order they form the file. */
export interface Piece {
  blob: Blob;
  /** Milliseconds since 1970. */
  atMs: number;
}

/** A draft with its media. */
export interface UnsentAnswer extends Draft {
  answer: RecordedAnswer;
  /** Whether all of it is in the browser's database; otherwise only this tab has it. */
  persisted: boolean;
}

/** Joins the pieces of a draft. */
export function unsentAnswerOf(draft: Draft, pieces: readonly Piece[], persisted: boolean): UnsentAnswer {
  const blob = new Blob(
    pieces.map((piece) => piece.blob),
    { type: draft.mediaType },
  );
  const durationMs = Math.max(0, (pieces.at(-1)?.atMs ?? draft.startedAtMs) - draft.startedAtMs);
  return { ...draft, answer: { draftId: draft.id, blob, durationMs }, persisted };
}
