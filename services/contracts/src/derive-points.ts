import { type ExpertPoint, expertPointsMax, pointMaxLength } from './expert-points.ts';
import { splitParagraphs } from './split-paragraphs.ts';
import { findEnclosed, splitSentences } from './split-sentences.ts';

/** After these a long sentence makes a new point. */
const clauseMarks =
  /,\s+(?=(?:and|but|whereas|while|so that|which|because|so|or)\s)|;\s+|:\s+(?=\S+\s\S+\s\S+)|\s+(?=whereas\s)/gi;

/** A clause shorter than this is read together with its neighbour. */
const clauseMinWords = 7;

/** A line that only announces the list below it: "The benefits are:". */
const announcement =
  /\b(?:are|is|include|includes|including|following(?: \w+)?|follows|these(?: \w+)?|namely|such as|like)\s*:$/i;
const lead = /^(?:my\s+answer\s+would\s+be|answer)\s*:\s*/i;

const wordCount = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Joins "Yes." and "No." to the sentence after them. */
function joinSingleWords(sentences: readonly string[]): string[] {
  const joined: string[] = [];
  let before = '';
  for (const sentence of sentences) {
    const whole = before === '' ? sentence : `${before} ${sentence}`;
    before = '';
    if (wordCount(whole) === 1) before = whole;
    else joined.push(whole);
  }
  return before === '' ? joined : [...joined, before];
}

function clausesOf(sentence: string): string[] {
  const enclosed = findEnclosed(sentence);
  const clauses: string[] = [];
  let from = 0;
  for (const { index, 0: mark } of sentence.matchAll(clauseMarks)) {
    const to = index + mark.length;
    if (enclosed[index]) continue;
    if (wordCount(sentence.slice(from, to)) < clauseMinWords || wordCount(sentence.slice(to)) < clauseMinWords)
      continue;
    clauses.push(sentence.slice(from, to).trim());
    from = to;
  }
  return [...clauses, sentence.slice(from).trim()].map((clause) => clause.replace(/[\s,;]+$/, ''));
}

const announcesOnly = (paragraph: string): boolean =>
  paragraph.endsWith(':') && (wordCount(paragraph) < clauseMinWords || announcement.test(paragraph));

/** Cuts what is longer than a point may be, between words where there are any. */
function withinLength(text: string): string[] {
  if (text.length <= pointMaxLength) return [text];
  const space = text.lastIndexOf(' ', pointMaxLength);
  const cut = space > 0 ? space : pointMaxLength;
  return [text.slice(0, cut).trim(), ...withinLength(text.slice(cut).trim())];
}

/**
 * The points that an expert answer makes: its list items, sentences, and the longer clauses of a sentence, in order.
 * Code blocks make points only where there is nothing else. At most 40 points; what comes after is not asked for.
 */
export function derivePoints(expertAnswer: string): ExpertPoint[] {
  const { prose, code } = splitParagraphs(expertAnswer.trim().replace(lead, ''));
  const texts = prose.filter((paragraph, index) => index === prose.length - 1 || !announcesOnly(paragraph));
  const found = texts.flatMap((text) => joinSingleWords(splitSentences(text))).flatMap(clausesOf);
  const points = found.some((text) => wordCount(text) > 0) ? found : [code.join(' ')];
  return points
    .flatMap(withinLength)
    .filter((text) => wordCount(text) > 0)
    .slice(0, expertPointsMax)
    .map((text) => ({ text, weight: 1, acceptedWordings: [], optional: false }));
}
