import { expect, test } from 'vitest';
import { interviewDetail, interviewRecording } from '../../../test/history/history-fixtures.ts';
import { planOfBegun, planOfQuestions } from './interview-plan.ts';

const questions = ['One?', 'Two?', 'Three?'];

test.each([
  [null, [0, 1, 2]],
  ['', [0, 1, 2]],
  ['1,3', [0, 2]],
  ['3,1,3', [0, 2]],
  ['2,9,0,-1,x', [1]],
  ['9', [0, 1, 2]],
])('the query ?questions=%s asks %j', (named, asked) => {
  expect(planOfQuestions(questions, named)).toEqual({ questions, asked });
});

test("an interview in progress continues with the server's answers", () => {
  const detail = interviewDetail({
    questions,
    askedQuestions: [0, 2],
    recordings: [interviewRecording({ _id: 'b', questionId: 2 })],
  });
  expect(planOfBegun(detail)).toEqual({
    questions,
    asked: [0, 2],
    begun: { sessionId: detail.sessionId, saved: [{ _id: 'b', askedIndex: 1, interviewId: detail._id }] },
  });
});
