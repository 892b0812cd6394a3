import { shownVerdict } from '@interview-prep/contracts/recording/shown-verdict';
import type { QuestionOutcome } from '../../../lib/next-step/session-score.ts';
import { byQuestion } from '../../../lib/question-name.ts';
import { recordingOutcome } from '../detail/recording-outcome.ts';
import { isPending } from '../detail/stage-progress.ts';
import type { SessionDetail, SessionRecording } from '../session-types.ts';

/** The zero-based numbers of the questions that a session asked. */
export function askedQuestions({
  questions,
  askedQuestions: asked,
}: Pick<SessionDetail, 'questions' | 'askedQuestions'>) {
  return asked ?? [...questions.keys()];
}

/**
 * The outcome of each question asked, in order.
 * @param own whether the reader is the one who answered
 */
export function questionOutcomes(
  detail: Pick<SessionDetail, 'questions' | 'askedQuestions' | 'followUps' | 'recordings'>,
  own: boolean,
): QuestionOutcome[] {
  return askedQuestions(detail)
    .map((questionId) => {
      const recording = detail.recordings.find((each) => each.questionId === questionId);
      return { questionId, ...outcomeOf(recording, own) };
    })
    .toSorted(byQuestion(detail));
}

function outcomeOf(recording: SessionRecording | undefined, own: boolean): Omit<QuestionOutcome, 'questionId'> {
  if (!recording) return { state: 'unanswered', percentage: null, reason: '' };
  if (isPending(recording)) return { state: 'pending', percentage: null, reason: '' };
  const reason = recordingOutcome('interview', recording, own)?.text ?? '';
  const state = shownVerdict(recording) ?? 'unjudged';
  return { state, percentage: recording.correctnessPercentage ?? null, reason };
}
