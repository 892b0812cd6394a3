import type { Overview } from '@interview-prep/contracts/recording/reviews';
import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { healthy, nothingWaits, server, setOf, signInBefore, userOf } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const at = '2026-11-20T10:00:00.000Z';
const [recordingId, interviewId] = ['c'.repeat(24), 'd'.repeat(24)];
const answer = { recordingId, interviewId, questionId: 1, title: 'Hooks', email: 'ann@example.com', createdAt: at };
const overview: Overview = {
  appeals: {
    count: 4,
    oldest: [
      {
        ...answer,
        cause: 'appeal',
        question: 'Why keys?',
        reason: 'Said.',
        machinePercentage: 40,
        reviewPercentage: null,
        unsurePoints: 0,
      },
    ],
  },
  failed: { count: 1, newest: [{ ...answer, kind: 'practice', reason: 'No speech engine is there.' }] },
  waiting: { count: 2, since: at },
};

function open(role: 'admin' | 'others') {
  signInBefore(role);
  renderApp('/');
  return screen.findByRole('heading', { name: 'Interview Sets' });
}
const card = (name: string) => within(screen.getByRole('region', { name }));

test('an admin sees what needs attention: appeals, failures, sets without answers, new users, workers', async () => {
  const worker = { worker: 'w1', speech: 'whisper', unavailable: [], assess: 'reference' };
  server.use(
    http.get('*/api/health', () => HttpResponse.json({ ...healthy, workers: [worker] })),
    http.get('*/api/recordings/overview', () => HttpResponse.json(overview)),
    http.get('*/api/users/newest', () => HttpResponse.json({ users: [userOf('others')], lastSevenDays: 5 })),
    http.get('*/api/interviews/sets', () =>
      HttpResponse.json({ interviewSets: [setOf(1, { unanswered: 1 }), setOf(2, { unanswered: 0 })] }),
    ),
  );
  await open('admin');
  expect(await screen.findByRole('region', { name: 'Overview' })).toBeVisible();
  expect(card('Open appeals').getByRole('link', { name: 'Why keys?' })).toHaveAttribute(
    'href',
    `/interviews/${interviewId}#question-2`,
  );
  expect(card('Open appeals').getByText('4')).toBeVisible();
  expect(card('Failed recordings').getByText(/No speech engine is there\./)).toBeVisible();
  expect(card('Failed recordings').getByRole('link')).toHaveAttribute(
    'href',
    `/practiceInterviews/${interviewId}#question-2`,
  );
  expect(
    card('Sets without expert answers')
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Set 1']);
  expect(card('New in the last 7 days').getByText('5')).toBeVisible();
  expect(card('Workers').getByText('whisper · reference')).toBeVisible();
  expect(card('Workers').getByText(/2 answers being processed/)).toBeVisible();
  // In the navigation bar too.
  expect(await screen.findByRole('link', { name: '4 open appeals' })).toHaveAttribute('href', '/admin/appeals');
});

test('each card says so if nothing is waiting, and the bar shows no count', async () => {
  server.use(http.get('*/api/recordings/overview', () => HttpResponse.json(nothingWaits)));
  await open('admin');
  expect(await screen.findByText('No open appeals')).toBeVisible();
  expect(screen.getByText('No recording has failed')).toBeVisible();
  expect(screen.getByText('No answer is waiting to be processed.')).toBeVisible();
  expect(screen.queryByRole('link', { name: /open appeal/ })).toBeNull();
});

test('a candidate sees none of it, and nothing requests it', async () => {
  const asked: string[] = [];
  server.use(
    http.get('*/api/recordings/overview', () => {
      asked.push('overview');
      return HttpResponse.json(overview);
    }),
  );
  await open('others');
  expect(screen.queryByRole('region', { name: 'Overview' })).toBeNull();
  expect(asked).toEqual([]);
});
