import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import type { LatestInterview } from '@interview-prep/contracts/history/progress';
import { dueText, type ReviewQueue } from '../../lib/api/reviewable.ts';
import { type NextStep, type NextStepChoices, nextStep } from '../../lib/next-step/next-step.ts';
import { paths } from '../../lib/paths.ts';

/** What the first screen's suggestion is made from. */
export interface HomeChoices extends NextStepChoices {
  latest: LatestInterview | null;
  queue: ReviewQueue;
  /** The slugs of the user's technologies. */
  own: readonly string[];
}

const isShorter = (a: InterviewSet, b: InterviewSet) => a.questions.length - b.questions.length;

/** The first set for someone who has taken none: of their technologies, the shortest. */
function firstSet({ sets, own }: HomeChoices): NextStep | null {
  const ofOwn = sets.filter(({ technologySlug }) => own.includes(technologySlug));
  const [set] = (ofOwn.length > 0 ? ofOwn : sets).filter(({ questions }) => questions.length > 0).toSorted(isShorter);
  if (!set) return null;
  const count = `${set.questions.length} ${set.questions.length === 1 ? 'question' : 'questions'}`;
  return {
    label: `Start with “${set.title}”`,
    reason: ofOwn.length > 0 ? `${count}, in a technology that you chose.` : `A short set to begin with: ${count}.`,
    path: paths.interview(set._id),
  };
}

/**
 * The one thing to do now, and why: what is left of the newest interview, what is due for review, what the newest interview
 * suggests, or a first set. Null where there are no sets.
 */
export function homeStep(choices: HomeChoices): NextStep | null {
  const { latest, queue } = choices;
  if (!latest) return firstSet(choices);
  const states = latest.outcomes.map(({ state }) => state);
  if (states.includes('pending')) {
    return {
      label: 'See how you did',
      reason: `Your answers to “${latest.title}” are being judged.`,
      path: paths.interviewDetail(latest._id),
    };
  }
  if (queue.due.length > 0 && !states.includes('unanswered')) {
    return {
      label: `Review ${queue.next.length} ${queue.next.length === 1 ? 'question' : 'questions'}`,
      reason: `${dueText(queue.next.length)}. Questions you struggle with come back sooner.`,
      path: paths.review,
    };
  }
  const step = nextStep(latest, latest.outcomes, choices);
  return step && { ...step, reason: `${latest.title}: ${step.reason}` };
}
