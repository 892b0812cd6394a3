import { readdirSync, readFileSync } from 'node:fs';
import { derivePoints } from '@interview-prep/contracts/derive-points';
import { analyseAnswer } from '../engines/reference/analysis.ts';
import { backgroundWithout, fieldBackground } from '../engines/reference/background.ts';
import type { Example } from '../engines/reference/fit-score.ts';
import { meaningOf } from '../engines/reference/meaning.ts';
import { tokensOf, wordsOf } from '../engines/reference/tokens.ts';

const folder = new URL('../../../catalog/seed/interview-sets/', import.meta.url);

interface Asked {
  technology: string;
  question: string;
  expertAnswer: string;
}

/** How much all of these count together; the graded answers count 20. */
const seedWeight = 3.4;
const tokensMax = 1000;

/** Every question of the sets that the product comes with. */
const readSeeds = (): Asked[] =>
  readdirSync(folder)
    .toSorted()
    .flatMap((file) => {
      const { technology, questions } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
      return questions.map((one: Omit<Asked, 'technology'>) => ({ ...one, technology }));
    });

/**
 * What the product's own sets teach: the expert answer to another question of the same technology earns nothing, and a
 * part of the points of the right one earns its share.
 */
export function seedExamples(): Example[] {
  const seeds = readSeeds();
  const weight = seedWeight / (3 * seeds.length);
  return seeds.flatMap(({ technology, question, expertAnswer }, index) => {
    const points = derivePoints(expertAnswer);
    const others = seeds.filter((one) => one.technology === technology && one.question !== question);
    const other = others[index % others.length];
    const partOf = (every: number) => {
      const part = points.filter((_, place) => (place + index) % every === 0).map(({ text }) => `${text}.`);
      return { text: part.join(' '), target: part.length / points.length };
    };
    const judged = [partOf(2), partOf(points.length), ...(other ? [{ text: other.expertAnswer, target: 0 }] : [])];
    return judged.map(({ text, target }): Example => {
      // The answer itself must not be in the background: other sets' answers are not.
      const meaning = meaningOf(tokensOf(wordsOf(text), tokensMax), new Set());
      const analysed = analyseAnswer(question, points, text, [], backgroundWithout(fieldBackground, meaning));
      return { analysed, target, isGraded: false, weight };
    });
  });
}
