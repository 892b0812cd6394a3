import type { ReviewQuestion } from '@interview-prep/contracts/history/progress';
import { mixedSetId } from '@interview-prep/contracts/recording/mixed-sessions';
import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { paths } from '../../../lib/paths.ts';
import { quickSetOf, server, signInBefore, userOf } from '../../../test/fake-api.ts';
import { interviewDetail } from '../../../test/history/history-fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { resumeOrBegin } from '../session/session-progress.ts';
import { planOfReview } from './interview-plan.ts';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => sessionStorage.clear());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const review = (question: string, interviewSetId: string): ReviewQuestion => ({
  question,
  interviewSetId,
  technology: 'React',
  questionId: 0,
  title: 'Set 1',
  dueAt: '2026-11-03T10:00:00.000Z',
  answeredAt: '2026-11-02T10:00:00.000Z',
  correctnessPercentage: 40,
  edited: false,
});
const sets = [quickSetOf(1), quickSetOf(2, { questions: ['What is Go?'] })];

test('a review asks the due questions of all sets', async () => {
  const questions = [review('What is Go?', quickSetOf(2)._id), review('Why keys?', quickSetOf(1)._id)];
  server.use(
    http.get('*/api/interviews/sets', () => HttpResponse.json({ interviewSets: sets })),
    http.get('*/api/reviews', () => HttpResponse.json({ questions, dueCount: 2, total: 2 })),
  );
  signInBefore('others');
  renderApp(paths.review);
  expect(await screen.findByText('Review of 2 questions')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Check your microphone' })).toBeVisible();
});

test('a review in progress continues with its own questions, in any browser', async () => {
  const sources = [2, 1].map((number) => ({
    setId: quickSetOf(number)._id,
    title: '',
    technology: 'Go',
    questionId: 0,
  }));
  const detail = interviewDetail({
    userId: userOf('others').id,
    interviewSetId: mixedSetId,
    questions: ['What is Go?', 'Why keys?'],
    sources,
  });
  server.use(http.get(`*/api/interviews/${detail._id}`, () => HttpResponse.json(detail)));
  signInBefore('others');
  renderApp(`${paths.review}?continue=${detail._id}`);
  expect(await screen.findByText('Review of 2 questions')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
});

test('without a question to review it says so, also at the URL of an earlier release', async () => {
  signInBefore('others');
  renderApp(`/interview/${mixedSetId}`);
  expect(await screen.findByText('There is nothing to review yet.')).toBeVisible();
  expect(window.location.pathname).toBe('/review');
});

const reviewed = (question: string, number: number, questionId: number) => ({
  question,
  set: quickSetOf(number),
  questionId,
  dueAt: '2026-11-03T10:00:00.000Z',
});

test("a reload continues with the review's original questions, even if fewer are due by then", () => {
  const { id } = userOf('others');
  const plan = planOfReview([reviewed('What is Go?', 2, 0), reviewed('Why keys?', 1, 1)]);
  expect(plan.sources).toEqual([
    { setId: quickSetOf(2)._id, questionId: 0, setUpdatedAt: quickSetOf(2).updatedAt },
    { setId: quickSetOf(1)._id, questionId: 1, setUpdatedAt: quickSetOf(1).updatedAt },
  ]);
  const { setChanged, ...begun } = resumeOrBegin(id, 'mixed', plan);
  expect(setChanged).toBe(false);
  const kept = { ...begun, index: 1, saved: [{ _id: 'a', askedIndex: 0 }] };
  sessionStorage.setItem(`interview:${id}:mixed`, JSON.stringify(kept));
  const later = planOfReview([reviewed('Why keys?', 1, 1)]);
  expect(resumeOrBegin(id, 'mixed', later)).toEqual({ ...kept, setChanged: false });
});

test('a review begun elsewhere keeps the set of each question', () => {
  const { sources, ...plan } = planOfReview([reviewed('What is Go?', 2, 0), reviewed('Why keys?', 1, 1)]);
  const begun = { sessionId: 's', saved: [{ _id: 'a', askedIndex: 0 }] };
  const resumed = resumeOrBegin(userOf('others').id, 'mixed', { ...plan, ...(sources && { sources }), begun });
  expect(resumed).toMatchObject({ sessionId: 's', index: 1, sources });
});
