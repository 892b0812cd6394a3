/** After these a long sentence makes a new point. */
const clauseMarks =
  /,\s+(?=(?:and|but|whereas|while|so that|which|because|so|or)\s)|;\s+|:\s+(?=\S+\s\S+\s\S+)|\s+(?=whereas\s)/gi;
const sentenceEnd = /(?<=[.!?])\s+(?=[\p{Lu}\p{N}"'(`])|\n+/u;
const listMark = /^\s*(?:[-*•–]|\(?\d{1,2}[.)]|[a-z]\))\s+/;
const wordCount = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** A clause shorter than this is read together with its neighbour. */
const clauseMinWords = 7;
const pointsMax = 40;

const clausesOf = (sentence: string): string[] => {
  const clauses: string[] = [];
  let from = 0;
  const cutAt = (to: number) => {
    const clause = sentence.slice(from, to);
    const rest = sentence.slice(to);
    if (wordCount(clause) < clauseMinWords || (rest !== '' && wordCount(rest) < clauseMinWords)) return;
    clauses.push(clause.trim());
    from = to;
  };
  for (const { index, 0: mark } of sentence.matchAll(clauseMarks)) cutAt(index + mark.length);
  const last = sentence.slice(from).trim();
  const before = clauses.pop();
  if (before === undefined) return [last];
  return wordCount(last) < clauseMinWords ? [...clauses, `${before} ${last}`] : [...clauses, before, last];
};

/**
 * The points that an expert answer makes: its list items, sentences, and the longer clauses of a sentence, in order.
 * At most 40; what comes after is not asked for.
 */
export const pointsOf = (expertAnswer: string): string[] =>
  expertAnswer
    .split(sentenceEnd)
    .map((sentence) => sentence.replace(listMark, '').trim())
    .flatMap((sentence) => clausesOf(sentence))
    .filter((point) => wordCount(point) > 0)
    .slice(0, pointsMax);
