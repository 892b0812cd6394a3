import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { AssessmentResult } from '../../src/engines/assessor.ts';
import { createReferenceAssessor } from '../../src/engines/reference/reference-assessor.ts';

// A verdict takes seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

interface Case {
  id: string;
  split: 'dev' | 'held-out' | 'fresh' | 'untouched';
  question: string;
  expertAnswer: string;
}
interface Paraphrase extends Case {
  kind: 'interview' | 'one-sentence';
  ownWords: string;
  half: string;
  wrong: string;
  offTopic: string;
}
interface Twins extends Case {
  category: string;
  right: string;
  wrong: string;
}
interface Misheard extends Case {
  kind: 'misheard' | 'other-term';
  heard: string;
  meant: readonly { term: string; heardAs: string }[];
}
interface Order extends Case {
  text: string;
  answer: string;
}

const read = <T extends Case>(name: string): T[] =>
  JSON.parse(readFileSync(new URL(`reference-cases/${name}.json`, import.meta.url), 'utf8'));
const assessor = createReferenceAssessor();
afterAll(() => assessor.close?.());
const { signal } = new AbortController();
/** The number of cases of each kind; `npm run bench` measures the judge on many more. Whole interview answers take longest. */
const sampled = 6;
const sampledInterviews = 3;

const judged = new Map<string, Promise<AssessmentResult>>();

/** The verdict on a transcript, cached since several tests need the same one. */
async function assess({ question, expertAnswer }: Case, transcript: string) {
  const key = JSON.stringify([question, expertAnswer, transcript]);
  const judging = judged.get(key) ?? assessor.assess({ question, expertAnswer, transcript, words: [], signal });
  judged.set(key, judging);
  const verdict = await judging;
  if (verdict.status === 'unscored') throw new Error(verdict.reason);
  return verdict;
}
const scoreOf = async (one: Case, transcript: string) => (await assess(one, transcript)).correctnessPercentage;
const scoresOf = <T extends Case>(cases: readonly T[], text: (one: T) => string) =>
  Promise.all(cases.map((one) => scoreOf(one, text(one))));
const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

describe('reference assessor on interview answers', () => {
  const cases = read<Paraphrase>('paraphrases')
    .filter(({ kind, split }) => kind === 'interview' && split === 'held-out')
    .slice(0, sampledInterviews);

  it('scores paraphrased right answers far above half ones, and those above wrong ones', async () => {
    const right = mean(await scoresOf(cases, ({ ownWords }) => ownWords));
    const half = mean(await scoresOf(cases, (one) => one.half));
    const wrong = mean(await scoresOf(cases, (one) => one.wrong));
    expect(right).toBeGreaterThanOrEqual(70);
    expect(half).toBeLessThanOrEqual(right - 20);
    expect(wrong).toBeLessThanOrEqual(20);
  });

  it('scores a recited expert answer 90 or more on average, and off-topic answers 8 or less', async () => {
    expect(mean(await scoresOf(cases, ({ expertAnswer }) => expertAnswer))).toBeGreaterThanOrEqual(90);
    expect(mean(await scoresOf(cases, ({ offTopic }) => offTopic))).toBeLessThanOrEqual(8);
  });
});

describe('reference assessor on twins', () => {
  it.each(['keyword-list', 'question-repeated', 'judge-addressed'])(
    'scores the right one higher: %s',
    async (category) => {
      const twins = read<Twins>('twins')
        .filter((one) => one.category === category)
        .slice(0, sampled);
      const right = await scoresOf(twins, (one) => one.right);
      const wrong = await scoresOf(twins, (one) => one.wrong);
      expect(mean(wrong)).toBeLessThanOrEqual(10);
      expect(mean(right)).toBeGreaterThan(mean(wrong) + 5);
    },
  );
});

describe('reference assessor on misheard terms', () => {
  it('recognizes them', async () => {
    const cases = read<Misheard>('misheard')
      .filter(({ kind }) => kind === 'misheard')
      .slice(0, sampled);
    const without = ({ heard, meant }: Misheard) =>
      meant.reduce((text, { heardAs }) => text.replace(heardAs, 'something'), heard);
    const [heard, removed] = [await scoresOf(cases, (one) => one.heard), await scoresOf(cases, without)];
    expect(mean(heard)).toBeGreaterThanOrEqual(mean(removed));
  });
});

describe('reference assessor on instructions to the judge', () => {
  it('gives the instruction itself almost nothing, and does not accept a wrong answer because of it', async () => {
    const orders = read<Order>('orders').slice(0, sampled);
    expect(mean(await scoresOf(orders, ({ text }) => text))).toBeLessThanOrEqual(5);
    expect(Math.max(...(await scoresOf(orders, ({ answer }) => answer)))).toBeLessThan(50);
  });
});
