import { splitParagraphs } from '../text/split-paragraphs.ts';
import { splitSentences } from '../text/split-sentences.ts';

/** Placeholder for a missing expert answer. Source: product specification, section 8, expert answer rule. */
export const expertAnswerMissing = 'Expert Answer Is Not Available';

const failed = /processing failed/i;
const lead = /(?:\bmy\s+answer\s+would\s+be|\banswer)\s*:/i;

/**
 * The displayed part of an expert response: the text after a phrase like 'my answer would be:' or 'Answer:', or all of it
 * without such a phrase; the placeholder if nothing is left.
 */
export function expertAnswerText(response: string | null | undefined): string {
  const text = response?.trim() ?? '';
  if (text === '' || failed.test(text)) return expertAnswerMissing;
  const match = lead.exec(text);
  const shown = match ? text.slice(match.index + match[0].length).trim() : text;
  return shown === '' ? expertAnswerMissing : shown;
}

/** A point within its original sentence. `before` and `after` are '' if the point is the whole sentence. */
export interface PointInSentence {
  before: string;
  point: string;
  after: string;
}

/** Derived points are capitalized; within their sentence, clauses are not. */
const withSmallFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/**
 * The sentence of an expert answer that a point comes from, so that a clause can be read in context.
 * A point that the answer doesn't contain verbatim, such as one that an admin wrote, stands alone.
 */
export function expertSentence(point: string, expertAnswer: string): PointInSentence {
  const alone = { before: '', point, after: '' };
  const { prose } = splitParagraphs(expertAnswer.trim());
  const wanted = withSmallFirst(point);
  const sentence = prose
    .flatMap((paragraph) => splitSentences(paragraph))
    .find((one) => one.includes(point) || one.includes(wanted));
  if (sentence === undefined) return alone;
  const from = sentence.includes(point) ? sentence.indexOf(point) : sentence.indexOf(wanted);
  const to = from + point.length;
  return { before: sentence.slice(0, from), point: sentence.slice(from, to), after: sentence.slice(to) };
}
