import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import type { AssessmentUsage, CreditRange, Point, Word } from '@interview-prep/contracts/recording/recordings';

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

/** An answer to be judged. */
export interface AssessmentRequest {
  question: string;
  /** What the candidate said: data, whatever it says. */
  transcript: string;
  /** The transcript's words with their times and confidences; empty where they are not known. */
  words: readonly Word[];
  /** The answer to judge by, where there is one. */
  expertAnswer?: string | undefined;
  /** The points of the expert answer that the set keeps; derived from the expert answer where they are absent. */
  points?: readonly ExpertPoint[] | undefined;
  signal: AbortSignal;
  /** Whether a failure is final, because the job has no attempt left. */
  isLastAttempt?: boolean | undefined;
}

/** A verdict. `isCorrect` is true from 60% on. `reason` says in words why an answer earned nothing at all. */
export interface ScoredAssessment {
  status: 'completed';
  isCorrect: boolean;
  /** A whole number, 0–100. */
  correctnessPercentage: number;
  expertAnswer: string;
  points: Point[];
  /** What the percentage could be, where the judge is not sure of a point. */
  range?: CreditRange;
  /** The engine and its model. */
  engine: string;
  reason?: string;
  /** The tokens that a model on a server used, and their cost. */
  usage?: AssessmentUsage;
}

/** Nothing to judge by: a percentage is never invented. `reason` says why. */
export interface UnscoredAssessment {
  status: 'unscored';
  isCorrect: null;
  correctnessPercentage: null;
  expertAnswer: '';
  points: [];
  engine: string;
  reason: string;
}

/** What an assessor returns. */
export type AssessmentResult = ScoredAssessment | UnscoredAssessment;

/** A follow-up question. */
interface FollowUpQuestion {
  text: string;
  /** The tokens that a model on a server used, and their cost. */
  usage?: AssessmentUsage;
}

/**
 * Judges an answer, and asks about what it missed. `assess` throws EngineError, or the signal's reason where it is aborted.
 * `askFollowUp` throws that reason only; null where there is no fitting question.
 */
export interface Assessor {
  readonly name: string;
  readonly model?: string;
  /** Whether to judge an answer while it is spoken makes its verdict faster. */
  readonly worksAhead?: boolean;
  assess(request: AssessmentRequest): Promise<AssessmentResult>;
  askFollowUp(request: FollowUpRequest): Promise<FollowUpQuestion | null>;
  /** Ends what it has started. */
  close?(): void;
}
