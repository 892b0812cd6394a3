/** Whisper reads at most 223 prompt tokens; the set's vocabulary may take this many. */
export const promptMaxTokens = 200;
const opening = 'Glossary: ';

/** An upper bound for the tokens of a text: Whisper splits its rarest words into pieces of two to three letters. */
export function tokensAtMost(text: string): number {
  return Math.ceil(text.length / 2.5);
}

/** A prompt of as many terms as fit, in order; '' for none. */
export function whisperPrompt(glossary: readonly string[]): string {
  const terms: string[] = [];
  let left = promptMaxTokens - tokensAtMost(opening) - 1;
  for (const term of glossary) {
    const cost = tokensAtMost(`${term}, `);
    if (cost > left) break;
    left -= cost;
    terms.push(term);
  }
  return terms.length === 0 ? '' : `${opening}${terms.join(', ')}.`;
}
