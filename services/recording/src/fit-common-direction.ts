import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { meaningOf } from './engines/reference/meaning.ts';
import { tokensOf, wordsOf } from './engines/reference/tokens.ts';
import { scaleToUnit, zeroVector } from './engines/reference/word-vectors.ts';

const sets = new URL('../../catalog/seed/interview-sets/', import.meta.url);
const target = new URL('engines/reference/common-direction.json', import.meta.url);
const tokensMax = 1000;

/** Writes down the mean meaning of the expert answers that the product comes with. Run before `fit-reference.ts`. */
const answers: string[] = readdirSync(sets)
  .toSorted()
  .flatMap((file) => JSON.parse(readFileSync(new URL(file, sets), 'utf8')).questions)
  .map(({ expertAnswer }: { expertAnswer: string }) => expertAnswer);
const sum = zeroVector();
for (const answer of answers) {
  const meaning = meaningOf(tokensOf(wordsOf(answer), tokensMax), new Set());
  for (let at = 0; at < sum.length; at++) sum[at]! += meaning[at]!;
}
const direction = [...scaleToUnit(sum)].map((value) => Number(value.toFixed(4)));
writeFileSync(target, `${JSON.stringify(direction)}\n`);
process.stdout.write(`the mean of ${answers.length} expert answers\n`);
