import type { Rivals } from './rivals.ts';
import type { Token } from './token.ts';

/** Where there are more words to a punctuation mark, a stretch between two may be several sentences. */
const stretchMaxWords = 24;
/** A clause that begins with a rival names it after fewer words of content. */
const openingWords = 2;

/** Whether a stretch goes from one rival to another in the middle of a clause: nothing marks where a sentence ends. */
function runsOn(stretch: readonly Token[], { stems }: Rivals): boolean {
  let named: string | undefined;
  let [clause, contentBefore] = [-1, 0];
  for (const token of stretch) {
    if (token.clause !== clause) [clause, contentBefore] = [token.clause, 0];
    if (stems.has(token.stem)) {
      if (named !== undefined && named !== token.stem && contentBefore >= openingWords) return true;
      named = token.stem;
    }
    if (token.weight > 0) contentBefore += 1;
  }
  return false;
}

/**
 * Whether nobody has punctuated a text that is about several rivals, as some speech engines write: then nothing tells
 * which of them a word belongs to.
 */
export function isRunOn(tokens: readonly Token[], rivals: readonly Rivals[]): boolean {
  const stretches = [...Map.groupBy(tokens, ({ stretch }) => stretch).values()];
  return (
    tokens.length > stretchMaxWords * stretches.length &&
    stretches.some((stretch) => rivals.some((group) => runsOn(stretch, group)))
  );
}
