import { splitParagraphs } from './split-paragraphs.ts';
import { splitSentences } from './split-sentences.ts';

/** A point within the sentence that it was taken from. `before` and `after` are '' where the point is the whole sentence. */
export interface PointInSentence {
  before: string;
  point: string;
  after: string;
}

/**
 * The sentence of an expert answer that a point was taken from, so that a clause can be read whole.
 * A point that the answer does not contain word for word, such as one that an admin wrote, stands alone.
 */
export function expertSentence(point: string, expertAnswer: string): PointInSentence {
  const alone = { before: '', point, after: '' };
  const { prose } = splitParagraphs(expertAnswer.trim());
  const sentence = prose.flatMap((paragraph) => splitSentences(paragraph)).find((one) => one.includes(point));
  if (sentence === undefined) return alone;
  const from = sentence.indexOf(point);
  return { before: sentence.slice(0, from), point, after: sentence.slice(from + point.length) };
}
