import type { Progress, ReviewQuestion } from '@interview-prep/contracts/history/progress';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { paths } from '../../lib/paths.ts';
import { server, setOf, signInBefore } from '../../test/fake-api.ts';
import { renderApp } from '../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const id = 'c'.repeat(24);
const progress: Progress = {
  streakDays: 3,
  spokenMs: 754_000,
  sessionCount: 4,
  latest: null,
  technologies: [
    {
      technology: 'React',
      sessionCount: 3,
      spokenMs: 700_000,
      questionCount: 5,
      average: 64.4,
      editedCount: 1,
      reviewedCount: 1,
      repeated: { questionCount: 2, first: 30, now: 71.6 },
      trend: [
        {
          interviewId: 'a'.repeat(24),
          title: 'Set 1',
          createdAt: '2026-11-01T10:00:00.000Z',
          average: 30,
          judgedCount: 2,
          editedCount: 1,
          reviewedCount: 1,
          soFar: { average: 30, questionCount: 2 },
        },
        {
          interviewId: id,
          title: 'Set 1',
          createdAt: '2026-11-02T10:00:00.000Z',
          average: 71.6,
          judgedCount: 2,
          editedCount: 0,
          reviewedCount: 0,
          soFar: { average: 64.4, questionCount: 5 },
        },
      ],
      missed: [
        {
          text: 'Names `keys`',
          before: 'React ',
          after: ' too.',
          question: 'Why keys?',
          times: 2,
          interviewId: id,
          questionId: 1,
        },
      ],
    },
    {
      technology: 'Go',
      sessionCount: 1,
      spokenMs: 54_000,
      questionCount: 0,
      average: null,
      editedCount: 0,
      reviewedCount: 0,
      repeated: null,
      trend: [],
      missed: [],
    },
  ],
};
const review = (question: string, dueAt: string): ReviewQuestion => ({
  question,
  dueAt,
  technology: 'React',
  interviewSetId: setOf(1)._id,
  questionId: 0,
  title: 'Set 1',
  answeredAt: '2026-11-02T10:00:00.000Z',
  correctnessPercentage: 40,
  edited: false,
});
const serve = (questions: ReviewQuestion[], served = progress) =>
  server.use(
    http.get('*/api/progress', () => HttpResponse.json(served)),
    http.get('*/api/reviews', () => HttpResponse.json({ questions, dueCount: 0, total: questions.length })),
  );

test('it shows the streak, the time, results on repeated questions, the trend with its table, and the points to work on', async () => {
  serve([]);
  signInBefore('others');
  renderApp('/progress');
  const react = within(await screen.findByRole('region', { name: 'React' }));
  expect(screen.getByText('Streak').nextSibling).toHaveTextContent('3 days');
  expect(screen.getByText('Time spoken').nextSibling).toHaveTextContent('13 minutes');
  expect(react.getByRole('img', { name: 'Average so far, over 2 interviews: from 30% to 64%' })).toBeVisible();
  await userEvent.click(react.getByText('Show the table'));
  const rows = within(react.getByRole('table', { name: 'React: each interview' })).getAllByRole('row');
  expect(rows.map((row) => row.textContent)).toEqual([
    'DateInterviewScoreAverage so far',
    expect.stringMatching(/Nov 2, 2026.*Set 172% of 2 answers64% of 5 questions$/),
    expect.stringMatching(/Nov 1, 2026.*Set 130% of 2 answers · 1 reviewed · 1 edited30% of 2 questions$/),
  ]);
  expect(react.getByText(/average of your newest answers to 5 questions/)).toHaveTextContent(
    /^64% .*1 with edited words/,
  );
  expect(react.getByText('2 questions answered again: 30% at first, 72% now.')).toBeVisible();
  expect(react.getByRole('listitem')).toHaveTextContent(
    /^React\s+Names keys too\.Missing or partial in 2 answers to\s*Why keys\?$/,
  );
  expect(react.getByRole('link', { name: 'Why keys?' })).toHaveAttribute('href', `/interviews/${id}/takes/2`);
  const go = within(screen.getByRole('region', { name: 'Go' }));
  expect(go.getByText('No interview has been judged yet.')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Review queue' })).toBeNull();
});

test('due questions come first, with their sets, and start a session', async () => {
  const later = new Date(Date.now() + 3 * 86_400_000).toISOString();
  serve([review('What is a hook?', '2026-11-03T10:00:00.000Z'), review('Why keys?', later)]);
  signInBefore('others');
  renderApp('/progress');
  const queue = within(await screen.findByRole('region', { name: 'Review queue' }));
  expect(queue.getByText(/1 question due, 2 minutes/)).toBeVisible();
  expect(queue.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'What is a hook?React · Set 1Due',
    'Why keys?React · Set 1in 3 days',
  ]);
  expect(queue.getByRole('link', { name: 'Review 1 question' })).toHaveAttribute('href', paths.review);
});

test('before anything is due, the next questions can be reviewed early', async () => {
  serve([review('Why keys?', new Date(Date.now() + 86_400_000).toISOString())]);
  signInBefore('others');
  renderApp('/progress');
  expect(await screen.findByRole('link', { name: 'Review 1 question now' })).toHaveAttribute('href', paths.review);
  expect(screen.getByText(/You're all caught up/)).toBeVisible();
});

test('before the first session it says how to start', async () => {
  signInBefore('others');
  renderApp('/progress');
  expect(await screen.findByText('Nothing to show yet.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Choose a set' })).toHaveAttribute('href', '/');
});

test('a failed load can be retried', async () => {
  server.use(http.get('*/api/reviews', () => new HttpResponse(null, { status: 502 }), { once: true }));
  signInBefore('others');
  renderApp('/progress');
  expect(await screen.findByText('Failed to fetch the questions to review')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Nothing to show yet.')).toBeVisible();
});
