import type { InterviewSet, PracticeSet } from '@interview-prep/contracts/catalog/sets';
import { describe, expect, it } from 'vitest';
import { interviewDetail } from '../../test/history/history-fixtures.ts';
import { type NextStepChoices, nextStep } from './next-step.ts';
import type { QuestionOutcome } from './session-score.ts';

const detail = interviewDetail({ questions: ['One?', 'Two?', 'Three?'] });
const setId = detail.interviewSetId;

const interviewSet = (_id: string, title: string, createdAt = '2026-01-01', questions = detail.questions) =>
  ({ _id, title, technology: 'JavaScript', questions, createdAt }) as InterviewSet;
const practiceSet = (_id: string, questions: string[], technology = 'JavaScript') =>
  ({ _id, title: _id, technology, questions }) as PracticeSet;

const choices = (more: Partial<NextStepChoices> = {}): NextStepChoices => ({
  sets: [interviewSet(setId, 'Closures and scope')],
  practiceSets: [],
  taken: { [setId]: { average: 50 } },
  ...more,
});

/** The outcomes of the first questions: percentages, or states without one. */
const outcomes = (...given: (number | 'pending' | 'unanswered' | 'unjudged')[]): QuestionOutcome[] =>
  given.map((one, questionId) =>
    typeof one === 'number'
      ? { questionId, state: 'correct', percentage: one, reason: '' }
      : { questionId, state: one, percentage: null, reason: '' },
  );

describe('the next step', () => {
  it('waits while answers are being judged', () => {
    expect(nextStep(detail, outcomes(10, 'pending', 90), choices())).toBeNull();
  });

  it('continues an unfinished interview', () => {
    expect(nextStep(detail, outcomes(10, 'unanswered', 'unanswered'), choices())).toEqual({
      label: 'Resume (1 of 3 done)',
      reason: '2 questions are not answered yet.',
      path: `/interview/${setId}?continue=${detail._id}`,
    });
  });

  it('repeats questions that scored under 60%', () => {
    expect(nextStep(detail, outcomes(59, 60, 20), choices())).toEqual({
      label: 'Answer 2 questions again',
      reason: 'Questions 1 and 3 scored under 60%.',
      path: `/interview/${setId}?questions=1,3`,
    });
    expect(nextStep(detail, outcomes(59, 60, 100), choices())).toMatchObject({
      label: 'Answer 1 question again',
      reason: 'Question 1 scored under 60%.',
    });
  });

  it("uses the questions' current places in the set", () => {
    const edited = interviewSet(setId, 'Closures', '2026-01-01', ['New?', '1. Three?']);
    expect(nextStep(detail, outcomes(10, 70, 50), choices({ sets: [edited] }))?.path).toBe(
      `/interview/${setId}?questions=2`,
    );
  });

  it('suggests practice with model answers if most is missing, or a second attempt did not help', () => {
    const same = practiceSet('same', ['Two?']);
    const practiceSets = [practiceSet('other', ['x'], 'React'), practiceSet('general', ['y']), same];
    expect(nextStep(detail, outcomes(10, 20, 30), choices({ practiceSets }))).toEqual({
      label: 'Practice this set',
      reason: 'Most of the points are still missing. Rehearse with a model answer first.',
      path: '/practice/session/same',
    });
    const second = { ...detail, askedQuestions: [0, 1] };
    expect(nextStep(second, outcomes(80, 50), choices({ practiceSets: practiceSets.slice(0, 2) }))).toEqual({
      label: 'Practice JavaScript',
      reason: 'Question 2 scored under 60% again. Rehearse with a model answer first.',
      path: '/practice/session/general',
    });
    expect(nextStep(detail, outcomes(10, 20, 30), choices())?.label).toBe('Answer 3 questions again');
  });

  it('suggests the next set of the technology: a new one, or the weakest', () => {
    const sets = [
      interviewSet('late', 'Late', '2026-03-01'),
      interviewSet(setId, 'Closures and scope'),
      interviewSet('early', 'Early', '2026-02-01'),
      { ...interviewSet('react', 'Hooks', '2026-01-01'), technology: 'React' },
    ];
    expect(nextStep(detail, outcomes(80, 60, 70), choices({ sets }))).toEqual({
      label: 'Take the next set',
      reason: 'All 3 judged answers scored 60% or more. You have not taken “Early” yet.',
      path: '/interview/early',
    });
    const taken = { early: { average: 55 }, late: { average: 40 } };
    expect(nextStep(detail, outcomes(80, 60, 70), choices({ sets, taken }))).toMatchObject({
      label: 'Take another set again',
      reason: expect.stringContaining('Your last average in “Late” was 40%.'),
    });
  });

  it('leads home if everything was taken, and says why nothing was judged', () => {
    expect(nextStep(detail, outcomes(80, 60, 70), choices())).toMatchObject({ label: 'Choose another set', path: '/' });
    const sets = [interviewSet('early', 'Early')];
    expect(nextStep(detail, outcomes('unjudged'), choices({ sets }))?.reason).toMatch(
      /^None of the answers could be judged\./,
    );
  });
});
