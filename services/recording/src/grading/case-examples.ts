import { readFileSync } from 'node:fs';
import { derivePoints } from '@interview-prep/contracts/derive-points';
import { analyseAnswer } from '../engines/reference/analysis.ts';
import type { Example } from '../engines/reference/fit-credits.ts';

const folder = new URL('../../test/engines/reference-cases/', import.meta.url);

interface Case {
  split: 'dev' | 'held-out';
  kind?: keyof typeof casesWeight;
  question: string;
  expertAnswer: string;
}
type Paraphrase = Case & Partial<Record<keyof typeof paraphraseTargets, string>>;
type Twin = Case & { right: string; wrong: string };

/** What each kind of answer should earn, 0–1, and how much it counts. */
const paraphraseTargets = {
  expertAnswer: { target: 1, weight: 6 },
  ownWords: { target: 0.95, weight: 3 },
  half: { target: 0.55, weight: 2 },
  short: { target: 0.5, weight: 0.5 },
  wrong: { target: 0.2, weight: 0.15 },
  offTopic: { target: 0, weight: 2 },
} as const;
/** What answers another question of the same kind is worth nothing; of each case so many others are taken. */
const otherAnswers = { weight: 0.5, steps: [1, 3, 7] };
/** Of the same weight altogether as a sixth of the paraphrases. */
const twinTargets = { right: { target: 0.45, weight: 0.6 }, wrong: { target: 0.05, weight: 0.6 } } as const;

/** How much all cases count together; the graded answers, which are of one sentence or two, count 1. */
const casesWeight = { interview: 3, 'one-sentence': 0.4 };

const read = <T extends Case>(name: string): T[] =>
  (JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as T[]).filter(({ split }) => split === 'dev');

const example = (
  { kind = 'interview', question, expertAnswer }: Case,
  text: string,
  target: number,
  weight: number,
): Example => ({
  points: analyseAnswer(question, derivePoints(expertAnswer), text, []).points,
  target,
  isGraded: false,
  weight: casesWeight[kind] * weight,
});

function paraphraseExamples(): Example[] {
  const cases = read<Paraphrase>('paraphrases.json');
  const share = 1 / (6 * cases.length);
  return cases.flatMap((one, index) => {
    const own = Object.entries(paraphraseTargets).flatMap(([kind, { target, weight }]) => {
      const text = one[kind as keyof typeof paraphraseTargets];
      return text ? [example(one, text, target, weight * share)] : [];
    });
    const others = otherAnswers.steps.flatMap((step) => {
      const other = cases[(index + step) % cases.length]!;
      return other.kind === one.kind && other.ownWords
        ? [example(one, other.ownWords, 0, otherAnswers.weight * share)]
        : [];
    });
    return [...own, ...others];
  });
}

function twinExamples(): Example[] {
  const cases = read<Twin>('twins.json');
  return cases.flatMap((one) =>
    (['right', 'wrong'] as const).map((side) =>
      example(one, one[side], twinTargets[side].target, twinTargets[side].weight / cases.length),
    ),
  );
}

/** The repository's own judged answers as examples; those held out for measuring are never among them. */
export function caseExamples(): Example[] {
  return [...paraphraseExamples(), ...twinExamples()];
}
