import { capitalized, countWords, findSubject, isFragment, standAlone } from '../text/sentence-subject.ts';
import { splitParagraphs } from '../text/split-paragraphs.ts';
import { findEnclosed, splitSentences } from '../text/split-sentences.ts';
import { type ExpertPoint, expertPointsMax, pointMaxLength } from './expert-points.ts';

/** Words after which a sentence may make a second statement. */
const clauseMarks = /;\s+|,\s+(?:and|but|while|whereas)\s+/gi;

/** Shorter clauses don't become points of their own. */
const clauseMinWords = 6;

/** A line that only introduces the list below it: "The benefits are:". */
const announcement =
  /\b(?:are|is|include|includes|including|following(?: \w+)?|follows|these(?: \w+)?|namely|such as|like)\s*:$/i;
const announcementMaxWords = 7;
/** Longer lines are not repeated before each item of the list below. */
const repeatedMaxWords = 15;
const lead = /^(?:my\s+answer\s+would\s+be|answer)\s*:\s*/i;

/** Refers to the previous clause, wherever it occurs. */
const reference = /\b(?:it|its|they|them|their|this|that|these|those|one|ones|same|other|others|both|so|such|then)\b/i;

/** Joins "Yes." and "No." to the next sentence. */
function joinSingleWords(sentences: readonly string[]): string[] {
  const joined: string[] = [];
  let before = '';
  for (const sentence of sentences) {
    const whole = before === '' ? sentence : `${before} ${sentence}`;
    before = '';
    if (countWords(whole) === 1) before = whole;
    else joined.push(whole);
  }
  return before === '' ? joined : [...joined, before];
}

/** A verb that continues with the previous subject: "keeps showing the old page". */
const verbFirst = /^(?!are |have )\p{Ll}+s (?!(?:are|were|have|do|can|must|may|will|should|never|also)\b)/u;

const hasSubject = (clause: string): boolean =>
  findSubject(clause, 'one') !== undefined || findSubject(clause, 'several') !== undefined;

/**
 * The clauses of a sentence that are complete statements, in order; only the sentence itself in case of doubt.
 * A clause that begins with a pronoun gets the subject of the previous one.
 */
export function splitClauses(sentence: string): string[] {
  const enclosed = findEnclosed(sentence);
  // Counts between marks, since a sentence may consist only of marks.
  let counted = 0;
  let words = 0;
  let restWords = countWords(sentence);
  for (const { index, 0: mark } of sentence.matchAll(clauseMarks)) {
    const end = index + mark.length;
    const firstWords = words + countWords(sentence.slice(counted, index));
    const taken = firstWords + countWords(mark) - words;
    words += taken;
    restWords -= taken;
    counted = end;
    if (enclosed[index] || firstWords < clauseMinWords || restWords < clauseMinWords) continue;
    const first = sentence.slice(0, index);
    const rest = sentence.slice(end);
    if (!hasSubject(first) || verbFirst.test(rest)) continue;
    const second = standAlone(rest, first);
    if (second === undefined || !hasSubject(second) || (second === rest && reference.test(rest))) continue;
    return [first, ...splitClauses(capitalized(second))];
  }
  return [sentence];
}

/** The sentences of a paragraph: each made to stand alone, or joined to the sentence that it depends on. */
function joinLeaning(sentences: readonly string[]): string[] {
  const points: string[] = [];
  let before: string | undefined;
  for (const sentence of sentences) {
    const alone = standAlone(sentence, before);
    const isJoined = points.length > 0 && (alone === undefined || isFragment(sentence));
    if (isJoined) points.push(`${points.pop()} ${sentence}`);
    else points.push(alone ?? sentence);
    before = isJoined ? undefined : alone;
  }
  return points;
}

const announcesOnly = (paragraph: string): boolean =>
  paragraph.endsWith(':') && (countWords(paragraph) < announcementMaxWords || announcement.test(paragraph));

/** The paragraphs without lines that only introduce a list. Items without a verb get the line above their list. */
function withAnnouncements(paragraphs: readonly string[]): string[] {
  let announced = '';
  return paragraphs.flatMap((paragraph, index) => {
    const isLast = index === paragraphs.length - 1;
    if (paragraph.endsWith(':') && !isLast) {
      announced = countWords(paragraph) <= repeatedMaxWords ? `${paragraph} ` : '';
      return announcesOnly(paragraph) ? [] : [paragraph];
    }
    return [isFragment(paragraph) ? announced + paragraph : paragraph];
  });
}

/** Cuts text that is too long for a point, between words if possible. */
function withinLength(text: string): string[] {
  if (text.length <= pointMaxLength) return [text];
  const space = text.lastIndexOf(' ', pointMaxLength);
  const cut = space > 0 ? space : pointMaxLength;
  return [text.slice(0, cut).trim(), ...withinLength(text.slice(cut).trim())];
}

/**
 * The points that an expert answer makes, in order: its list items, its sentences, and clauses that are complete statements.
 * A sentence that depends on the previous one gets its subject, or else stays joined to it.
 * Code blocks become points only if there is no other text. At most 40 points; the rest is ignored.
 */
export function derivePoints(expertAnswer: string): ExpertPoint[] {
  const { prose, code } = splitParagraphs(expertAnswer.trim().replace(lead, ''));
  const found = withAnnouncements(prose).flatMap((text) =>
    joinLeaning(joinSingleWords(splitSentences(text))).flatMap(splitClauses),
  );
  const points = found.some((text) => countWords(text) > 0) ? found : [code.join(' ')];
  return points
    .flatMap(withinLength)
    .filter((text) => countWords(text) > 0)
    .slice(0, expertPointsMax)
    .map((text) => ({ text, weight: 1, acceptedWordings: [], optional: false }));
}
