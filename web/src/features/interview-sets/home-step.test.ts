import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import type { LatestInterview } from '@interview-prep/contracts/history/progress';
import { expect, test } from 'vitest';
import type { ReviewedQuestion } from '../../lib/api/reviewable.ts';
import { paths } from '../../lib/paths.ts';
import { setOf } from '../../test/fake-api.ts';
import { type HomeChoices, homeStep } from './interview-sets-screen.tsx';
import { matchesSearch, orderSets } from './set-browser.tsx';

const warmUp = setOf(1, { title: 'Warm-up', questions: ['One?', 'Two?', 'Three?'] });

/** The newest interview, with answers of these percentages or states. */
const latestOf = (...given: (number | 'pending' | 'unanswered')[]): LatestInterview => ({
  _id: 'c'.repeat(24),
  interviewSetId: warmUp._id,
  title: 'Warm-up',
  technology: 'React',
  createdAt: '2026-11-20T08:00:00.000Z',
  questions: warmUp.questions,
  outcomes: given.map((one, questionId) =>
    typeof one === 'number'
      ? { questionId, state: one >= 60 ? 'correct' : 'partly', percentage: one, edited: false }
      : { questionId, state: one, percentage: null, edited: false },
  ),
});
const reviewed = (count: number): ReviewedQuestion[] =>
  Array.from({ length: count }, (_, questionId) => ({
    question: 'Why?',
    set: warmUp,
    questionId,
    dueAt: '2026-11-20T08:00:00.000Z',
  }));
const noQueue = { due: [], coming: [], next: [] };
const choices = (more: Partial<HomeChoices> = {}): HomeChoices => ({
  sets: [warmUp],
  practiceSets: [],
  taken: {},
  latest: null,
  queue: noQueue,
  own: [],
  ...more,
});
const due = (count: number) => ({ due: reviewed(count), coming: [], next: reviewed(count).slice(0, 10) });

test.each<[what: string, more: Partial<HomeChoices>, label: string, reason: string, path: string]>([
  [
    'three weak answers are answered again',
    { latest: latestOf(40, 45, 50) },
    'Answer 3 questions again',
    'Warm-up: Questions 1, 2 and 3 scored under 60%.',
    `/interview/${warmUp._id}?questions=1,2,3`,
  ],
  [
    'an interview that was begun is continued, whatever is due',
    { latest: latestOf(40, 'unanswered', 'unanswered'), queue: due(2) },
    'Resume (1 of 3 done)',
    'Warm-up: 2 questions are not answered yet.',
    `/interview/${warmUp._id}?continue=${'c'.repeat(24)}`,
  ],
  [
    'what is due comes before new questions',
    { latest: latestOf(90, 90, 90), queue: due(5) },
    'Review 5 questions',
    '5 questions due, 10 minutes. Questions you struggle with come back sooner.',
    paths.review,
  ],
  [
    'of many due questions it asks ten',
    { latest: latestOf(90), queue: due(12) },
    'Review 10 questions',
    '10 questions due, 20 minutes. Questions you struggle with come back sooner.',
    paths.review,
  ],
  [
    'answers that are being judged are shown',
    { latest: latestOf(90, 'pending') },
    'See how you did',
    'Your answers to “Warm-up” are being judged.',
    `/interviews/${'c'.repeat(24)}`,
  ],
  [
    'who has taken none begins with a short one',
    { sets: [warmUp, setOf(2, { questions: ['One?'] })] },
    'Start with “Set 2”',
    'A short set to begin with: 1 question.',
    `/interview/${setOf(2)._id}`,
  ],
  [
    'who chose a technology begins there',
    { sets: [warmUp, setOf(2, { technologySlug: 'go', questions: ['One?'] })], own: ['react'] },
    'Start with “Warm-up”',
    '3 questions, in a technology that you chose.',
    `/interview/${warmUp._id}`,
  ],
])('%s', (_what, more, label, reason, path) => {
  expect(homeStep(choices(more))).toEqual({ label, reason, path });
});

test('without any set there is nothing to do', () => {
  expect(homeStep(choices({ sets: [] }))).toBeNull();
});

test("the user's technologies come first: what is in progress, what is new, what went worst", () => {
  const sets: InterviewSet[] = [
    setOf(1, { technologySlug: 'go' }),
    setOf(2, { technologySlug: 'sql' }),
    ...[3, 4, 5, 6].map((number) => setOf(number)),
  ];
  const taken = {
    [setOf(3)._id]: { average: 80, answeredCount: 2, questionCount: 2 },
    [setOf(4)._id]: { average: 20, answeredCount: 2, questionCount: 2 },
    [setOf(6)._id]: { average: null, answeredCount: 1, questionCount: 2 },
  };
  const titles = (own: string[]) => orderSets(sets, own, taken).map(({ title }) => title);
  expect(titles(['react', 'sql'])).toEqual(['Set 6', 'Set 5', 'Set 4', 'Set 3', 'Set 2', 'Set 1']);
  expect(titles([])).toEqual(['Set 1', 'Set 2', 'Set 3', 'Set 4', 'Set 5', 'Set 6']);
});

test.each([
  ['warm', true],
  ['REACT up', true],
  ['a', true],
  ['react go', false],
])('a search for %s finds a set by its title, technology and tags: %s', (search, found) => {
  expect(matchesSearch(warmUp, search)).toBe(found);
});
