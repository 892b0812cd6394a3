import { countWords, findLeaning, isFragment } from '../text/sentence-subject.ts';
import { splitClauses } from './derive-points.ts';

/** Why a point is hard to judge: it can't be understood by itself, or it says two things at once. */
export type PointWarning = 'leans' | 'fragment' | 'two-things';

/** A point with more words says more than one thing. */
const pointMaxWords = 35;

/** A second question about the same thing: ", and how do you avoid it". */
const secondQuestion =
  /,? (?:and|or) (?:wh(?:y|at|en|ere|ich|o|ose)|how|(?:is|are|do|does|can|could|should|would|will)(?:n['’]t)?|at what|in what|for what)\b/gi;
/** A question about several things: "it" in a point may be any of them. */
const asksAboutSeveral = /\b(?:and|or|versus|vs|between|differ(?:s|ent|ence|ences)?|compared?|than)\b|,/i;
/** Stands for all that the question asks about. */
const pair = /^(?:both|neither|either)\b/i;

/** What makes a point hard to judge, in one word; undefined where nothing is known against it. It warns rather too little. */
export function findPointWarning(point: string, question: string): PointWarning | undefined {
  const text = point.trim();
  if (text === '') return undefined;
  const leaning = findLeaning(text);
  const isOpen = asksAboutSeveral.test(question.replace(secondQuestion, ' '));
  if (leaning === 'continuation' || (leaning && isOpen && !pair.test(text))) return 'leans';
  if (isFragment(text)) return 'fragment';
  return countWords(text) > pointMaxWords || splitClauses(text).length > 1 ? 'two-things' : undefined;
}
