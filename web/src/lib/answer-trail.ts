/** Answers to one question that a reader steps through, page by page; passed as link state. */
export interface AnswerTrail {
  question: string;
  /** The path of the list of answers. */
  back: string;
  /** Each answer's page, and the person who gave it. */
  answers: readonly { path: string; name: string }[];
}

/** Reads the trail from link state; null if there is none. The state is untrusted: it is whatever the browser kept. */
export function answerTrailOf(state: unknown): AnswerTrail | null {
  return typeof state === 'object' && state !== null && 'trail' in state ? (state.trail as AnswerTrail) : null;
}
