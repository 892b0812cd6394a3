import { readFileSync } from 'node:fs';
import { reloadable } from '../idle/reloadable.ts';

/** The whole words among the pieces of the word vectors, by their row: the more frequent a word, the smaller its row. */
const wordRows = reloadable((): ReadonlyMap<string, number> => {
  const pieces = readFileSync(new URL('../../models/word-vectors/tokens.txt', import.meta.url), 'utf8').split('\n');
  return new Map(pieces.flatMap((piece, row) => (piece.startsWith('##') ? [] : [[piece, row] as const])));
});

/** Where the pieces that are words begin: before them stand single characters. */
const firstWordRow = 997;
const lastRow = 29_524;

/** How rare an English word is, from 0 (like 'the') to 1; what is no whole word of the table counts as 1. In lower case. */
export function wordRarity(word: string): number {
  const row = wordRows().get(word);
  if (row === undefined) return 1;
  return Math.log(Math.max(1, row - firstWordRow)) / Math.log(lastRow - firstWordRow);
}
