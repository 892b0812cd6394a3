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

const assess = async (
  { question, expertAnswer }: Asked,
  { text, words = [] }: Partial<ReturnType<typeof misheard>>,
) => {
  const verdict = await assessor.assess({ question, expertAnswer, transcript: text ?? '', words, signal });
  if (verdict.status === 'unscored') throw new Error(verdict.reason);
  return { ...verdict, coveredShare: verdict.points.filter(({ covered }) => covered).length / verdict.points.length };
};
const shareOf = (percentages: number[], holds: (percentage: number) => boolean) =>
  percentages.filter(holds).length / percentages.length;
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const sentencesOf = (text: string) => text.split(/(?<=[.!?])\s+(?=[A-Z`])/);

describe('reference assessor on the sets of the product', () => {
  it('scores an answer above 60, misheard as it is, and shows the points that explain it', async () => {
    const percentages: number[] = [];
    for (const [index, one] of asked.entries()) {
      const heard = misheard(one.expertAnswer, index + 1);
      const { correctnessPercentage, coveredShare, points } = await assess(one, heard);
      percentages.push(correctnessPercentage);
      expect(Math.abs(correctnessPercentage / 100 - coveredShare)).toBeLessThanOrEqual(0.3);
      if (coveredShare < 0.6) expect(correctnessPercentage).toBeLessThan(90);
      for (const { covered, evidence } of points) {
        expect(heard.text).toContain(evidence);
        if (covered) expect(evidence.split(' ').length).toBeGreaterThanOrEqual(4);
      }
    }
    expect(shareOf(percentages, (percentage) => percentage > 60)).toBeGreaterThanOrEqual(0.98);
    expect(Math.min(...percentages)).toBeGreaterThanOrEqual(45);
  });

  it('scores below 30 what answers another question of the technology', async () => {
    const percentages: number[] = [];
    for (const [index, one] of asked.entries())
      for (const other of asked)
        if (one !== other && one.technology === other.technology)
          for (const given of [{ text: other.expertAnswer }, misheard(other.expertAnswer, index + 1)])
            percentages.push((await assess(one, given)).correctnessPercentage);
    expect(shareOf(percentages, (percentage) => percentage < 30)).toBeGreaterThanOrEqual(0.98);
    expect(shareOf(percentages, (percentage) => percentage >= 50)).toBeLessThanOrEqual(0.001);
  });

  it('scores below 30 what answers a question of another technology', async () => {
    const percentages: number[] = [];
    for (const [index, one] of asked.entries())
      for (const step of [31, 53, 97]) {
        const other = asked[(index + step) % asked.length]!;
        if (other.technology === one.technology) continue;
        percentages.push((await assess(one, misheard(other.expertAnswer, index + step))).correctnessPercentage);
      }
    // JavaScript and Node.js share the event loop; hardly anything else reaches so far.
    expect(shareOf(percentages, (percentage) => percentage < 30)).toBeGreaterThanOrEqual(0.99);
    expect(Math.max(...percentages)).toBeLessThan(50);
  });

  it('grows with the share of the answer that is given', async () => {
    const medians: number[] = [];
    for (const share of [0.25, 0.5, 0.75, 1]) {
      const percentages: number[] = [];
      for (const one of asked) {
        const sentences = sentencesOf(one.expertAnswer);
        const text = sentences.slice(0, Math.round(sentences.length * share)).join(' ');
        percentages.push((await assess(one, { text })).correctnessPercentage);
      }
      medians.push(median(percentages));
    }
    expect(medians[0]).toBeLessThan(45);
    expect(medians[1]).toBeGreaterThan(40);
    expect(medians[1]).toBeLessThan(65);
    expect(medians[2]).toBeGreaterThan(65);
    expect(medians[2]).toBeLessThan(90);
    expect(medians[3]).toBe(100);
  });

  it('gives nothing for the question repeated', async () => {
    for (const one of asked)
      expect((await assess(one, { text: `${one.question} Well, ${one.question}` })).correctnessPercentage).toBeLessThan(
        15,
      );
  });
});
