import { readFileSync } from 'node:fs';
import { derivePoints } from '@interview-prep/contracts/derive-points';
import { analyseAnswer } from '../engines/reference/analysis.ts';
import type { Example } from '../engines/reference/fit-score.ts';

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
  expertAnswer: { target: 1, weight: 2 },
  ownWords: { target: 0.9, weight: 4 },
  half: { target: 0.55, weight: 3 },
  short: { target: 0.6, weight: 1 },
  wrong: { target: 0.25, weight: 0.5 },
  offTopic: { target: 0, weight: 1.5 },
} as const;
/** An answer to another question of the same kind is worth nothing. These are the steps to such questions in the list. */
const otherAnswers = { weight: 1, steps: [1, 3] };
const twinTargets = { right: { target: 0.45, weight: 0.1 }, wrong: { target: 0.05, weight: 0.3 } } as const;

/** How much the cases of a kind count; the graded answers, which are of one sentence or two, count 20 together. */
const casesWeight = { interview: 1, 'one-sentence': 0.5 };

const read = <T extends Case>(name: string): T[] =>
  (JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as T[]).filter(({ split }) => split === 'dev');

const example = (
  { kind = 'interview', question, expertAnswer }: Case,
  text: string,
  target: number,
  weight: number,
): Example => ({
  analysed: analyseAnswer(question, derivePoints(expertAnswer), text, []),
  target,
  isGraded: false,
  weight: casesWeight[kind] * weight,
});

function paraphraseExamples(): Example[] {
  const cases = read<Paraphrase>('paraphrases.json');
  const share = 1 / cases.length;
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
