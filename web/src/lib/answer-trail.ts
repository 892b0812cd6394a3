/** Answers to one question, which a reader steps through from one detail to the next: the state of the links to them. */
export interface AnswerTrail {
  question: string;
  /** Where the answers are listed. */
  back: string;
  /** Where each is replayed, and who gave it. */
  answers: readonly { path: string; name: string }[];
}

/** The trail that a link brought; null for none. State is whatever the browser kept. */
export function answerTrailOf(state: unknown): AnswerTrail | null {
  return typeof state === 'object' && state !== null && 'trail' in state ? (state.trail as AnswerTrail) : null;
}
