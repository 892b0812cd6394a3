import type { NamedQuestion } from '@interview-prep/contracts/recording/question-sources';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import type { RecordedAnswer } from './recorded-answer.ts';

/** A recorded answer that the server does not have yet, without its media. */
export interface Draft {
  id: string;
  /** Absent in drafts of older releases. */
  kind?: SessionKind;
  userId: string;
  setId: string;
  sessionId: string;
  /** Zero-based. */
  questionId: number;
  /** The questions that the session asks, zero-based; absent where it asks all of the set. */
  askedQuestions?: readonly number[];
  /** The questions of a session that mixes several sets. */
  sources?: readonly NamedQuestion[];
  /** The assignment that the session is for. */
  assignmentId?: string;
  setTitle: string;
  /** ISO 8601. The revision of the set that was shown, so that a later edit does not change the questions. */
  setUpdatedAt: string;
  mediaType: string;
  /** Milliseconds since 1970. */
  startedAtMs: number;
}

/** What a draft says of itself without its key: ids, times and numbers. */
export type DraftHead = Pick<Draft, 'id' | 'kind' | 'userId' | 'setId' | 'sessionId' | 'questionId' | 'startedAtMs'>;

/** A draft that cannot be read: 'no-key' until its key is loaded, 'unreadable' if the user's key does not decrypt it. */
export interface LockedDraft extends DraftHead {
  locked: 'no-key' | 'unreadable';
  sizeBytes: number;
}

/** Why a draft cannot be sent, in words. */
export const lockedReasons: Readonly<Record<LockedDraft['locked'], string>> = {
  'no-key': 'It is encrypted, and its key cannot be loaded right now. Stay signed in, and try again later.',
  unreadable: 'It cannot be read: it was encrypted with another key, or it is damaged.',
};

/** A piece of a recording; the pieces in order are the file. */
export interface Piece {
  blob: Blob;
  /** Milliseconds since 1970. */
  atMs: number;
}

/** A draft with its media. */
export interface UnsentAnswer extends Draft {
  answer: RecordedAnswer;
  /** Whether the browser's database has all of it; otherwise only this tab does. */
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
