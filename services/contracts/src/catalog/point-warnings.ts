import { countWords, findLeaning, isFragment } from '../text/sentence-subject.ts';
import { splitClauses } from './derive-points.ts';

/** Reasons why a point is hard to judge: it doesn't make sense on its own, or makes two statements. */
export type PointWarning = 'leans' | 'fragment' | 'two-things';

/** A point with more words makes more than one statement. */
const pointMaxWords = 35;

/** A follow-up about the same subject: ", and how do you avoid it". */
const secondQuestion =
  /,? (?:and|or) (?:wh(?:y|at|en|ere|ich|o|ose)|how|(?:is|are|do|does|can|could|should|would|will)(?:n['’]t)?|at what|in what|for what)\b/gi;
/** A question about several things: "it" in a point is ambiguous. */
const asksAboutSeveral = /\b(?:and|or|versus|vs|between|differ(?:s|ent|ence|ences)?|compared?|than)\b|,/i;
/** Refers to everything that the question asks about. */
const pair = /^(?:both|neither|either)\b/i;

/** The reason why a point is hard to judge; undefined if none is known. Prefers missing a warning to a false one. */
export function findPointWarning(point: string, question: string): PointWarning | undefined {
  const text = point.trim();
  if (text === '') return undefined;
  const leaning = findLeaning(text);
  const isOpen = asksAboutSeveral.test(question.replace(secondQuestion, ' '));
  if (leaning === 'continuation' || (leaning && isOpen && !pair.test(text))) return 'leans';
  if (isFragment(text)) return 'fragment';
  return countWords(text) > pointMaxWords || splitClauses(text).length > 1 ? 'two-things' : undefined;
}
