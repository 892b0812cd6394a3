import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import type { AssessmentUsage, CreditRange, Point, Word } from '@interview-prep/contracts/recording/recordings';

export interface FollowUpRequest {
  /** The question that was answered. */
  question: string;
  /** The candidate's words: untrusted data, never instructions. */
  transcript: string;
  /** A point that the answer missed or half made, in the expert's words. */
  point: string;
  /** The spoken language, ISO 639-1. */
  language: string;
  signal: AbortSignal;
}

/** An answer to be judged. */
export interface AssessmentRequest {
  question: string;
  /** The candidate's words: untrusted data, never instructions. */
  transcript: string;
  /** The transcript's words with their times and confidences; empty if unknown. */
  words: readonly Word[];
  expertAnswer?: string | undefined;
  /** The expert answer's points, as stored in the set; derived from the expert answer if absent. */
  points?: readonly ExpertPoint[] | undefined;
  signal: AbortSignal;
  /** Whether a failure is final because the job has no attempts left. */
  isLastAttempt?: boolean | undefined;
}

/** A verdict. `isCorrect` is true from 60% on. `reason` says why an answer scored zero. */
export interface ScoredAssessment {
  status: 'completed';
  isCorrect: boolean;
  /** A whole number, 0–100. */
  correctnessPercentage: number;
  expertAnswer: string;
  points: Point[];
  /** The possible range of the percentage, if the judge is unsure of a point. */
  range?: CreditRange;
  /** The engine and its model. */
  engine: string;
  reason?: string;
  /** The tokens that a model on a server used, and their cost. */
  usage?: AssessmentUsage;
}

/** The answer could not be scored, since a percentage is never invented. `reason` says why. */
export interface UnscoredAssessment {
  status: 'unscored';
  isCorrect: null;
  correctnessPercentage: null;
  expertAnswer: '';
  points: [];
  engine: string;
  reason: string;
}

export type AssessmentResult = ScoredAssessment | UnscoredAssessment;

interface FollowUpQuestion {
  text: string;
  /** The tokens that a model on a server used, and their cost. */
  usage?: AssessmentUsage;
}

/**
 * Judges an answer, and asks about points that it missed. `assess` throws EngineError, or the signal's reason if aborted.
 * `askFollowUp` throws only that reason; it returns null if there is no suitable question.
 */
export interface Assessor {
  readonly name: string;
  readonly model?: string;
  /** Whether judging an answer while it is spoken makes its verdict faster. */
  readonly worksAhead?: boolean;
  assess(request: AssessmentRequest): Promise<AssessmentResult>;
  askFollowUp(request: FollowUpRequest): Promise<FollowUpQuestion | null>;
  /** Stops the processes that it has started. */
  close?(): void;
}
