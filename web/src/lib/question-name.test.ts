import { expect, test } from 'vitest';
import { byQuestion, questionName } from './question-name.ts';

const session = { followUps: [{ questionId: 3, parentQuestionId: 1 }] };

test('a follow-up question is named after its original question, and sorted right after it', () => {
  expect([0, 1, 3].map((id) => questionName(session, id))).toEqual([
    'Question 1',
    'Question 2',
    'Question 2, follow-up',
  ]);
  const ids = [3, 2, 1, 0].map((questionId) => ({ questionId })).toSorted(byQuestion(session));
  expect(ids.map(({ questionId }) => questionId)).toEqual([0, 1, 3, 2]);
});
