import { describe, expect, it } from 'vitest';
import { sessionScore } from '../../../lib/next-step/session-score.ts';
import { interviewDetail, interviewRecording, pendingRecording } from '../../../test/history/history-fixtures.ts';
import { questionOutcomes } from './question-outcomes.ts';

const detail = interviewDetail({
  questions: ['a', 'b', 'c', 'd', 'e', 'f'],
  recordings: [
    interviewRecording({ questionId: 0, correctnessPercentage: 81 }),
    interviewRecording({ questionId: 1, correctnessPercentage: 58, isCorrect: true }),
    interviewRecording({ questionId: 2, correctnessPercentage: 0, isCorrect: false }),
    interviewRecording({
      questionId: 3,
      correctnessPercentage: null,
      isCorrect: null,
      assessment: { status: 'unscored', reason: 'No expert answer.' },
    }),
    pendingRecording({ questionId: 4 }),
  ],
});

describe('the outcomes of an interview', () => {
  it('give each asked question its verdict, or why it has none', () => {
    expect(questionOutcomes(detail, true).map(({ state, percentage }) => [state, percentage])).toEqual([
      ['correct', 81],
      ['partly', 58],
      ['incorrect', 0],
      ['unjudged', null],
      ['pending', null],
      ['unanswered', null],
    ]);
    expect(questionOutcomes(detail, true)[3]?.reason).toBe('No expert answer.');
  });

  it('average the judged answers, and count the rest', () => {
    expect(sessionScore(questionOutcomes(detail, true))).toEqual({
      average: 46,
      asked: 6,
      judged: 3,
      pending: 1,
      unanswered: 1,
      unjudged: 1,
    });
    expect(sessionScore([]).average).toBeNull();
  });

  it('leave out questions that were not asked', () => {
    const outcomes = questionOutcomes({ ...detail, askedQuestions: [1, 2] }, true);
    expect(outcomes.map(({ questionId }) => questionId)).toEqual([1, 2]);
    expect(sessionScore(outcomes)).toMatchObject({ average: 29, asked: 2, unanswered: 0 });
  });
});
