import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AssessmentResult } from '../../src/engines/assessor.ts';
import { createReferenceAssessor } from '../../src/engines/reference/reference-assessor.ts';

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
const { signal } = new AbortController();

const judged = new Map<string, Promise<AssessmentResult>>();

/** The verdict on a transcript; several tests ask for the same one. */
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

describe('reference assessor on interview answers that it was not fitted to', () => {
  const cases = read<Paraphrase>('paraphrases').filter(
    ({ kind, split }) => kind === 'interview' && split === 'held-out',
  );

  it('gives a recited expert answer 95 or more', async () => {
    expect(Math.min(...(await scoresOf(cases, ({ expertAnswer }) => expertAnswer)))).toBeGreaterThanOrEqual(95);
  });

  it('gives right answers in quite other words 62 or more on average', async () => {
    expect(mean(await scoresOf(cases, ({ ownWords }) => ownWords))).toBeGreaterThanOrEqual(62);
  });

  it('gives half answers between 30 and 60 on average', async () => {
    const average = mean(await scoresOf(cases, ({ half }) => half));
    expect(average).toBeGreaterThanOrEqual(30);
    expect(average).toBeLessThanOrEqual(60);
  });

  it('gives wrong answers in the sentences of the expert 35 or less on average', async () => {
    expect(mean(await scoresOf(cases, ({ wrong }) => wrong))).toBeLessThanOrEqual(35);
  });

  it('gives no right answer in quite other words under 40', async () => {
    expect(Math.min(...(await scoresOf(cases, ({ ownWords }) => ownWords)))).toBeGreaterThanOrEqual(40);
  });

  it('gives answers about something else 8 or less on average', async () => {
    expect(mean(await scoresOf(cases, ({ offTopic }) => offTopic))).toBeLessThanOrEqual(8);
  });

  it('gives right answers to other questions 15 or less on average', async () => {
    const others = cases.map((one, index) => scoreOf(one, cases[(index + 1) % cases.length]!.ownWords));
    expect(mean(await Promise.all(others))).toBeLessThanOrEqual(15);
  });
});

describe('reference assessor on fresh interview answers, which nothing was fitted to', () => {
  const cases = read<Paraphrase>('paraphrases').filter(({ split }) => split === 'fresh');

  it('gives wrong answers 35 or less on average, half ones between 30 and 60', async () => {
    expect(mean(await scoresOf(cases, ({ wrong }) => wrong))).toBeLessThanOrEqual(35);
    const half = mean(await scoresOf(cases, (one) => one.half));
    expect(half).toBeGreaterThanOrEqual(30);
    expect(half).toBeLessThanOrEqual(60);
  });

  it('gives right answers in quite other words far more than wrong ones', async () => {
    const [right, wrong] = [
      await scoresOf(cases, ({ ownWords }) => ownWords),
      await scoresOf(cases, (one) => one.wrong),
    ];
    expect(mean(right)).toBeGreaterThanOrEqual(mean(wrong) + 35);
  });
});

describe('reference assessor on answers full of images, which nothing was fitted to', () => {
  const cases = read<Paraphrase>('paraphrases').filter(({ split }) => split === 'untouched');

  // Decision 7 says what is wanted and what these answers get.
  it('tells right answers from wrong ones, from answers to other questions and from no answers', async () => {
    const own = mean(await scoresOf(cases, ({ ownWords }) => ownWords));
    const others = cases.map((one, index) => scoreOf(one, cases[(index + 1) % cases.length]!.ownWords));
    expect(own).toBeGreaterThanOrEqual(mean(await scoresOf(cases, ({ wrong }) => wrong)) + 10);
    expect(own).toBeGreaterThanOrEqual(mean(await Promise.all(others)) + 25);
    expect(mean(await scoresOf(cases, ({ offTopic }) => offTopic))).toBeLessThanOrEqual(8);
  });

  it('gives wrong answers 35 or less on average, half ones between 30 and 60', async () => {
    expect(mean(await scoresOf(cases, ({ wrong }) => wrong))).toBeLessThanOrEqual(35);
    const half = mean(await scoresOf(cases, (one) => one.half));
    expect(half).toBeGreaterThanOrEqual(30);
    expect(half).toBeLessThanOrEqual(60);
  });
});

describe('reference assessor on twins', () => {
  const twins = read<Twins>('twins');
  // The share that is wanted is 0.85; decision 7 says which kinds of wrong twins it cannot tell yet, and why.
  it.each([
    ['keyword-list', 0.85],
    ['question-repeated', 0.85],
    ['opposite-term', 0.85],
    ['swapped-roles', 0.85],
    ['numbers', 0.85],
    ['judge-addressed', 0.85],
    ['negation', 0.8],
  ])('scores the right one higher: %s', async (category, share) => {
    const ofCategory = twins.filter((one) => one.category === category);
    const right = await scoresOf(ofCategory, (one) => one.right);
    const wrong = await scoresOf(ofCategory, (one) => one.wrong);
    const higher = ofCategory.filter((_, index) => right[index]! > wrong[index]!);
    expect(ofCategory.length).toBeGreaterThanOrEqual(10);
    expect(higher.length / ofCategory.length).toBeGreaterThanOrEqual(share);
  });
});

describe('reference assessor on misheard terms', () => {
  const cases = read<Misheard>('misheard').filter(({ kind }) => kind === 'misheard');
  const without = ({ heard, meant }: Misheard) =>
    meant.reduce((text, { heardAs }) => text.replace(heardAs, 'something'), heard);

  it('counts them, and marks most as recognised by their sound', async () => {
    const [heard, removed] = [await scoresOf(cases, (one) => one.heard), await scoresOf(cases, without)];
    expect(mean(heard)).toBeGreaterThan(mean(removed) + 8);
    const verdicts = await Promise.all(cases.map((one) => assess(one, one.heard)));
    const marked = verdicts.filter(({ points }) => points.some(({ how }) => how === 'sound'));
    expect(marked.length / cases.length).toBeGreaterThanOrEqual(0.7);
  });
});

describe('reference assessor on orders to the judge', () => {
  const orders = read<Order>('orders');

  it('gives the order itself hardly anything', async () => {
    expect(mean(await scoresOf(orders, ({ text }) => text))).toBeLessThanOrEqual(5);
  });

  it('takes no wrong answer for correct because of an order in it', async () => {
    const scores = await scoresOf(orders, ({ answer }) => answer);
    expect(orders.filter((_, index) => scores[index]! >= 50).map(({ id }) => id)).toEqual([]);
  });
});
