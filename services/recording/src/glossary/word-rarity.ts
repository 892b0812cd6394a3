import { rowOf } from '../engines/reference/word-pieces.ts';

/** Where the pieces that are words begin: before them stand single characters. */
const firstWordRow = 997;
const lastRow = 29_524;
/** Begins a piece that continues a word. */
const continuation = '##';

/** How rare an English word is, from 0 (like 'the') to 1; what is no whole word of the table counts as 1. In lower case. */
export function wordRarity(word: string): number {
  const row = rowOf(word);
  if (row === undefined || word.startsWith(continuation)) return 1;
  return Math.log(Math.max(1, row - firstWordRow)) / Math.log(lastRow - firstWordRow);
}
