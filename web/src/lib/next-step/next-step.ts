import type { InterviewSet, PracticeSet } from '@interview-prep/contracts/catalog/sets';
import type { LatestInterview } from '@interview-prep/contracts/history/progress';
import { mixedSetId } from '@interview-prep/contracts/recording/mixed-sessions';
import { correctFromPercentage, partlyFromPercentage } from '@interview-prep/contracts/recording/shown-verdict';
import { withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import type { LastTaken } from '../api/progress-api.ts';
import { atFirstUse, countOf, resumeLabel } from '../formats.ts';
import { paths } from '../paths.ts';
import { type QuestionOutcome, sessionScore } from './session-score.ts';

/** A suggestion after an interview, with the reason. */
export interface NextStep {
  label: string;
  reason: string;
  path: string;
}

export interface NextStepChoices {
  sets: readonly InterviewSet[];
  practiceSets: readonly Omit<PracticeSet, 'answers'>[];
  /** The user's latest session of each interview set, by set id. */
  taken: Readonly<Record<string, Pick<LastTaken, 'average'>>>;
}

type Session = Pick<LatestInterview, '_id' | 'technology' | 'questions'> & { interviewSetId?: string | undefined };

/** 'Both judged answers' */
const judgedAnswers = (count: number) =>
  count === 1 ? 'Your answer' : `${count === 2 ? 'Both' : `All ${count}`} judged answers`;
const list = atFirstUse(() => new Intl.ListFormat('en-GB', { type: 'conjunction' }));
const numbers = (outcomes: readonly QuestionOutcome[]) =>
  `Question${outcomes.length === 1 ? '' : 's'} ${list().format(outcomes.map(({ questionId }) => `${questionId + 1}`))}`;

const comparable = (question: string) => withoutQuestionPrefix(question).trim().toLowerCase();

/** The current positions of a session's questions in its set, zero-based, without removed ones. */
function placesInSet(session: Session, set: InterviewSet, asked: readonly QuestionOutcome[]): number[] {
  const texts = set.questions.map(comparable);
  return asked
    .map(({ questionId }) => texts.indexOf(comparable(session.questions[questionId] ?? '')))
    .filter((place) => place >= 0);
}

/** Suggests practice with the same questions if there is any, else with the same technology. */
function practice(
  session: Session,
  weak: readonly QuestionOutcome[],
  { practiceSets }: NextStepChoices,
  reason: string,
) {
  const wanted = new Set(weak.map(({ questionId }) => comparable(session.questions[questionId] ?? '')));
  const same = practiceSets.find(({ questions }) => questions.some((question) => wanted.has(comparable(question))));
  const set = same ?? practiceSets.find(({ technology }) => technology === session.technology);
  if (!set) return null;
  const label = same ? 'Practice this set' : `Practice ${session.technology}`;
  return { label, reason, path: paths.practiceSession(set._id) };
}

/** The next set of the technology: the oldest one not taken yet, else the one with the worst score. */
function nextSet(session: Session, { sets, taken }: NextStepChoices, reason: string): NextStep | null {
  const others = sets
    .filter(({ _id, technology }) => technology === session.technology && _id !== session.interviewSetId)
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.title.localeCompare(b.title));
  const fresh = others.find(({ _id }) => !taken[_id]);
  if (fresh) {
    return {
      label: 'Take the next set',
      reason: `${reason} You have not taken “${fresh.title}” yet.`,
      path: paths.interview(fresh._id),
    };
  }
  const averageOf = ({ _id }: InterviewSet) => taken[_id]?.average ?? 100;
  const [worst] = others.toSorted((a, b) => averageOf(a) - averageOf(b));
  if (!worst || averageOf(worst) >= correctFromPercentage) return null;
  const average = Math.round(averageOf(worst));
  return {
    label: 'Take another set again',
    reason: `${reason} Your last average in “${worst.title}” was ${average}%.`,
    path: paths.interview(worst._id),
  };
}

const otherSet: NextStep = {
  label: 'Choose another set',
  reason: 'You have taken every set of this technology.',
  path: paths.home,
};

/**
 * The one thing to do next: finish the interview, retry weak questions, practice, or take the next set.
 * Null while answers are still being judged.
 */
export function nextStep(
  session: Session,
  outcomes: readonly QuestionOutcome[],
  choices: NextStepChoices,
): NextStep | null {
  const { pending, average, unanswered, judged, asked } = sessionScore(outcomes);
  if (pending > 0) return null;
  const isMixed = session.interviewSetId === mixedSetId;
  const set = choices.sets.find(({ _id }) => _id === session.interviewSetId);
  const open = outcomes.filter(({ state }) => state === 'unanswered');
  // A mixed session stores its own questions.
  const canContinue = isMixed || (set && placesInSet(session, set, open).length === open.length);
  if (open.length > 0 && canContinue) {
    return {
      label: resumeLabel(asked - unanswered, asked),
      reason: `${countOf(unanswered, 'question')} ${unanswered === 1 ? 'is' : 'are'} not answered yet.`,
      path: paths.interview(isMixed ? mixedSetId : (set?._id ?? ''), { continue: session._id }),
    };
  }
  const weak = outcomes.filter(({ percentage }) => percentage !== null && percentage < correctFromPercentage);
  if (isMixed) {
    const reason =
      weak.length > 0
        ? `${numbers(weak)} scored under ${correctFromPercentage}% and will come back for review.`
        : 'Questions you struggle with come back sooner.';
    return { label: 'See your progress', reason, path: paths.progress };
  }
  if (weak.length > 0) {
    const isRepeat = outcomes.length < session.questions.length;
    if (isRepeat || (average ?? 0) < partlyFromPercentage) {
      const reason = isRepeat
        ? `${numbers(weak)} scored under ${correctFromPercentage}% again. Rehearse with a model answer first.`
        : 'Most of the points are still missing. Rehearse with a model answer first.';
      const step = practice(session, weak, choices, reason);
      if (step) return step;
    }
    const places = set ? placesInSet(session, set, weak) : [];
    if (set && places.length > 0) {
      return {
        label: `Answer ${countOf(places.length, 'question')} again`,
        reason: `${numbers(weak)} scored under ${correctFromPercentage}%.`,
        path: paths.interview(set._id, { questions: places }),
      };
    }
  }
  const done =
    judged === 0
      ? 'None of the answers could be judged.'
      : weak.length > 0
        ? 'The questions are no longer in the set.'
        : `${judgedAnswers(judged)} scored ${correctFromPercentage}% or more.`;
  return nextSet(session, choices, done) ?? practice(session, [], choices, done) ?? otherSet;
}
