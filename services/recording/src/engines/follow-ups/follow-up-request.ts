/** What a follow-up question is made from. */
export interface FollowUpRequest {
  /** The question that was answered. */
  question: string;
  /** What the candidate said: data, whatever it says. */
  transcript: string;
  /** What the answer missed or made by half, in the expert's words. */
  point: string;
  /** ISO 639-1: what is spoken. */
  language: string;
  signal: AbortSignal;
}
