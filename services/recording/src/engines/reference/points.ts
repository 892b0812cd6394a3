/** A clause that starts like this stands for itself once the part before it says enough. */
const clauseOpeners =
  /,\s+(?=(?:and|but|whereas|while|so that|which|because|so|or)\s)|;\s+|:\s+(?=\S+\s\S+\s\S+)|\s+(?=whereas\s)/i;
const sentenceEnd = /(?<=[.!?])\s+(?=[\p{Lu}\p{N}"'(`])|\n+/u;
const listMark = /^\s*(?:[-*•–]|\(?\d{1,2}[.)]|[a-z]\))\s+/;
const wordCount = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** A clause shorter than this is read together with its neighbour. */
const clauseMinWords = 5;
const pointsMax = 40;

const clausesOf = (sentence: string): string[] => {
  const clauses: string[] = [];
  for (const piece of sentence.split(clauseOpeners)) {
    const last = clauses.at(-1);
    if (last !== undefined && (wordCount(last) < clauseMinWords || wordCount(piece) < clauseMinWords))
      clauses[clauses.length - 1] = `${last}, ${piece}`;
    else clauses.push(piece);
  }
  return clauses;
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
