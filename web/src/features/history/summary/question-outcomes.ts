import { type ShownVerdict, shownVerdict } from '@interview-prep/contracts/shown-verdict';
import { recordingOutcome } from '../detail/recording-outcome.ts';
import { isPending } from '../detail/stage-progress.ts';
import type { SessionDetail, SessionRecording } from '../session-types.ts';

/** What became of one question that was asked. */
export interface QuestionOutcome {
  /** Zero-based. */
  questionId: number;
  state: ShownVerdict | 'pending' | 'unjudged' | 'unanswered';
  /** 0–100; null without a verdict. */
  percentage: number | null;
  /** Why there is no verdict, or why the answer earned nothing; '' otherwise. */
  reason: string;
}

/** The numbers of the questions that a session asked, zero-based. */
export function askedQuestions({
  questions,
  askedQuestions: asked,
}: Pick<SessionDetail, 'questions' | 'askedQuestions'>) {
  return asked ?? [...questions.keys()];
}

/**
 * The outcome of each question that was asked, in order.
 * @param own whether the reader is the one who answered
 */
export function questionOutcomes(
  detail: Pick<SessionDetail, 'questions' | 'askedQuestions' | 'recordings'>,
  own: boolean,
): QuestionOutcome[] {
  return askedQuestions(detail).map((questionId) => {
    const recording = detail.recordings.find((each) => each.questionId === questionId);
    return { questionId, ...outcomeOf(recording, own) };
  });
}

function outcomeOf(recording: SessionRecording | undefined, own: boolean): Omit<QuestionOutcome, 'questionId'> {
  if (!recording) return { state: 'unanswered', percentage: null, reason: '' };
  if (isPending(recording)) return { state: 'pending', percentage: null, reason: '' };
  const reason = recordingOutcome('interview', recording, own)?.text ?? '';
  const state = shownVerdict(recording) ?? 'unjudged';
  return { state, percentage: recording.correctnessPercentage ?? null, reason };
}

/** A session in numbers. `average` is 0–100 over the judged answers; null if there are none. */
export interface SessionScore {
  average: number | null;
  asked: number;
  judged: number;
  pending: number;
  unanswered: number;
  unjudged: number;
}

/** Counts the outcomes of a session's questions. */
export function sessionScore(outcomes: readonly QuestionOutcome[]): SessionScore {
  const percentages = outcomes.flatMap(({ percentage }) => (percentage === null ? [] : [percentage]));
  const count = (state: QuestionOutcome['state']) => outcomes.filter((outcome) => outcome.state === state).length;
  const [pending, unanswered, unjudged] = [count('pending'), count('unanswered'), count('unjudged')];
  return {
    average:
      percentages.length > 0 ? Math.round(percentages.reduce((sum, each) => sum + each, 0) / percentages.length) : null,
    asked: outcomes.length,
    judged: outcomes.length - pending - unanswered - unjudged,
    pending,
    unanswered,
    unjudged,
  };
}
