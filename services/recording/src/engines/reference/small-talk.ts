/**
 * What people say while they think, and to be polite. The words of a longer phrase mean something elsewhere. In lower case,
 * as the tokeniser reads them: "that is all", "i would say".
 */
const phrases = `
  um; uh; uhm; er; erm; hmm; mm; ah; oh; you know; i mean; i think; i guess; i believe; i suppose; i would say;
  as i said; so to speak; let me think; let me see; to be honest; as far as i know; hi; hey; hello; good morning;
  good afternoon; good evening; nice to meet you; how are you; a good question; good question; great question;
  for the question; for your question; that is all; that is it; hope that helps; basically; actually;
  kind of; sort of; well; like
`
  .trim()
  .split(/;\s+/)
  .map((phrase) => phrase.split(' '));
const phrasesByOpening = Map.groupBy(phrases, ([opening]) => opening!);

/**
 * Leaves out small talk, with the comma after it, so that it neither earns nor costs anything and parts no clause.
 * @param pieces the words and marks of a text, in order
 */
export function withoutSmallTalk<Piece extends { text: string }>(pieces: readonly Piece[]): Piece[] {
  const kept: Piece[] = [];
  for (let at = 0; at < pieces.length; ) {
    const begun = phrasesByOpening.get(pieces[at]!.text) ?? [];
    const said = begun.find((phrase) => phrase.every((word, index) => pieces[at + index]?.text === word));
    if (!said) {
      kept.push(pieces[at]!);
      at += 1;
      continue;
    }
    at += said.length;
    if (pieces[at]?.text === ',') at += 1;
  }
  return kept;
}
