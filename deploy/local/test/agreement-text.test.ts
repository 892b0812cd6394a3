import { expect, it } from 'vitest';
import { agreementText } from '../calibrate/agreement-text.ts';

it('prints the agreement of machine and people, by set and question', () => {
  const figures = { count: 2, pearson: 0.912, kappa: null, difference: 12.5 };
  const text = agreementText({
    all: figures,
    sets: [{ ...figures, title: 'Warm-up' }],
    questions: [{ ...figures, title: 'Warm-up', question: 'What is x?' }],
  });
  expect(text.split('\n')).toEqual([
    'answers  apart  Pearson  kappa',
    '      2   12.5     0.91      -  all',
    '',
    'answers  apart  Pearson  kappa  set',
    '      2   12.5     0.91      -  Warm-up',
    '',
    'answers  apart  Pearson  kappa  question',
    '      2   12.5     0.91      -  What is x? (Warm-up)',
    '',
  ]);
  expect(agreementText({ all: null, sets: [], questions: [] })).toMatch(/^No answer/);
});
