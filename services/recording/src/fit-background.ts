import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { meaningOf } from './engines/reference/meaning.ts';
import { tokensOf, wordsOf } from './engines/reference/tokens.ts';

const sets = new URL('../../catalog/seed/interview-sets/', import.meta.url);
const target = new URL('engines/reference/background.i8', import.meta.url);
const tokensMax = 1000;
const largest = 127;

interface Asked {
  question: string;
  expertAnswer: string;
}

/**
 * Writes down the meanings of the expert answers that the product comes with, one after another: for each dimension a
 * signed byte, in a scale of its own. Run before `fit-reference.ts`.
 */
const asked: Asked[] = readdirSync(sets)
  .toSorted()
  .flatMap((file) => JSON.parse(readFileSync(new URL(file, sets), 'utf8')).questions);
const rows = asked.map(({ expertAnswer }) => {
  const meaning = meaningOf(tokensOf(wordsOf(expertAnswer), tokensMax), new Set());
  const most = meaning.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return Buffer.from(Int8Array.from(meaning, (value) => Math.round((value / most) * largest)));
});
writeFileSync(target, Buffer.concat(rows));
process.stdout.write(`the meanings of ${rows.length} expert answers\n`);
