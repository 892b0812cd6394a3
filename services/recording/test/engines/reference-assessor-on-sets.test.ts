import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createReferenceAssessor } from '../../src/engines/reference/reference-assessor.ts';
import { misheard } from './misheard.ts';

interface Asked {
  set: string;
  technology: string;
  question: string;
  expertAnswer: string;
}

const folder = new URL('../../../catalog/seed/interview-sets/', import.meta.url);
/** Every question of the sets that the product comes with. */
const asked: Asked[] = readdirSync(folder).flatMap((file) => {
  const { key, technology, questions } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  return questions.map((one: Pick<Asked, 'question' | 'expertAnswer'>) => ({ ...one, set: key, technology }));
});
const assessor = createReferenceAssessor();
const { signal } = new AbortController();

async function assess({ question, expertAnswer }: Asked, { text, words = [] }: Partial<ReturnType<typeof misheard>>) {
  const verdict = await assessor.assess({ question, expertAnswer, transcript: text ?? '', words, signal });
  if (verdict.status === 'unscored') throw new Error(verdict.reason);
  return verdict;
}
const shareOf = (percentages: number[], holds: (percentage: number) => boolean) =>
  percentages.filter(holds).length / percentages.length;

const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
/** Every third question, so that the test takes seconds. */
const sampled = asked.filter((_, index) => index % 3 === 0);

describe('reference assessor on the sets of the product', () => {
  it('scores an answer above 60, misheard as it is, and shows the points that explain it', async () => {
    const percentages: number[] = [];
    for (const [index, one] of sampled.entries()) {
      const heard = misheard(one.expertAnswer, index + 1);
      const { correctnessPercentage, points } = await assess(one, heard);
      percentages.push(correctnessPercentage);
      expect(points.reduce((sum, { credit = 0 }) => sum + credit, 0)).toBe(correctnessPercentage);
      for (const { evidence } of points) expect(heard.text).toContain(evidence);
    }
    expect(shareOf(percentages, (percentage) => percentage > 60)).toBeGreaterThanOrEqual(0.9);
  });

  it('scores the expert answer itself 95 or more', async () => {
    for (const one of sampled)
      expect((await assess(one, { text: one.expertAnswer })).correctnessPercentage).toBeGreaterThanOrEqual(95);
  });

  it('scores far lower what answers another question', async () => {
    const percentages: number[] = [];
    for (const [index, one] of sampled.entries()) {
      const other = asked[(index * 3 + 53) % asked.length]!;
      percentages.push((await assess(one, { text: other.expertAnswer })).correctnessPercentage);
    }
    expect(mean(percentages)).toBeLessThan(35);
    expect(shareOf(percentages, (percentage) => percentage >= 50)).toBeLessThanOrEqual(0.12);
  });

  it('gives hardly anything for the question repeated', async () => {
    for (const one of sampled)
      expect((await assess(one, { text: `${one.question} Well, ${one.question}` })).correctnessPercentage).toBe(0);
  });
});
