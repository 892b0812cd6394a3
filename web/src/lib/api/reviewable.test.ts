import type { ReviewQuestion } from '@interview-prep/contracts/history/progress';
import { expect, test } from 'vitest';
import { setOf } from '../../test/fake-api.ts';
import { dueText, reviewQueue } from './reviewable.ts';

const now = Date.parse('2026-11-20T12:00:00.000Z');
const review = (question: string, interviewSetId: string, dueAt: string): ReviewQuestion => ({
  question,
  interviewSetId,
  dueAt,
  technology: 'React',
  questionId: 0,
  title: 'Set',
  answeredAt: '2026-11-01T00:00:00.000Z',
  correctnessPercentage: 20,
  edited: false,
});
const sets = [setOf(1, { questions: ['1. Why keys?'] }), setOf(2, { questions: ['What is a hook?', 'Why keys?'] })];
const [one, two] = sets.map(({ _id }) => _id) as [string, string];

test('a question is asked where it is now: in its set, or in another; a removed one is left out', () => {
  const { due, coming } = reviewQueue(
    {
      questions: [
        review('Why keys?', two, '2026-11-20T11:00:00.000Z'),
        review('What is a hook?', one, '2026-11-20T11:30:00.000Z'),
        review('Gone?', one, '2026-11-20T11:45:00.000Z'),
        review('Why keys', one, '2026-11-21T12:00:00.000Z'),
      ],
    },
    sets,
    now,
  );
  expect(due.map(({ set, questionId, question }) => [set._id, questionId, question])).toEqual([
    [two, 1, 'Why keys?'],
    [two, 0, 'What is a hook?'],
  ]);
  expect(coming.map(({ set, questionId }) => [set._id, questionId])).toEqual([[one, 0]]);
});

test('a review asks at most ten due questions; if none is due, the next five', () => {
  const many = (dueAt: string) => ({ questions: Array.from({ length: 12 }, () => review('Why keys?', one, dueAt)) });
  expect(reviewQueue(many('2026-11-20T11:00:00.000Z'), sets, now).next).toHaveLength(10);
  expect(reviewQueue(many('2026-11-20T13:00:00.000Z'), sets, now).next).toHaveLength(5);
  expect(reviewQueue({ questions: [] }, sets, now).next).toEqual([]);
});

test('the time is two minutes per question', () => {
  expect(dueText(5)).toBe('5 questions due, 10 minutes');
  expect(dueText(1)).toBe('1 question due, 2 minutes');
});
