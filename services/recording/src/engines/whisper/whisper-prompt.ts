/** Whisper reads no more than 223 tokens before what it hears; the set's vocabulary may take this many. */
export const promptMaxTokens = 200;
const opening = 'Glossary: ';

/** At most how many tokens a text takes: Whisper's rarest words are cut into pieces of two to three letters. */
export function tokensAtMost(text: string): number {
  return Math.ceil(text.length / 2.5);
}

/** A prompt of as many terms as fit, the first ones first; '' for none. */
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
