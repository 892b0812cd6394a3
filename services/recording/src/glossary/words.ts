import { readFileSync } from 'node:fs';

/** The judge's word pieces are sorted by frequency; words come after special pieces and single characters. */
const firstWordRow = 1996;
let rows: ReadonlyMap<string, number> | undefined;

function readRows(): ReadonlyMap<string, number> {
  const pieces = readFileSync(new URL('../../models/point-judge/vocab.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return new Map(pieces.map((piece, row) => [piece, row]));
}

/** How rare a lower-case English word is, from 0 (like 'the') to 1; unknown words count as 1. */
export function wordRarity(word: string): number {
  rows ??= readRows();
  const row = rows.get(word);
  if (row === undefined || word.startsWith('##')) return 1;
  return Math.log(Math.max(1, row - firstWordRow)) / Math.log(rows.size - firstWordRow);
}

/** The words of a text, separated by whitespace. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/** A word without punctuation, in lower case. */
export function plainWord(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
