import type { ChosenAnswers, QueuedAnswer } from '@interview-prep/contracts/recording/queues';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { paths } from '../../../lib/paths.ts';
import { server, signInBefore } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const stage = (name: string, changes: object = {}) => ({
  stage: name,
  waiting: 0,
  active: 0,
  paused: 0,
  failed: 0,
  oldestAt: null,
  ...changes,
});

const reason = 'The speech engine ended unexpectedly';
const failure = {
  stage: 'transcription',
  reason,
  count: 2,
  oldestAt: '2026-11-20T08:00:00.000Z',
  newestAt: '2026-11-20T09:00:00.000Z',
};

const answer: QueuedAnswer = {
  recordingId: '1'.repeat(24),
  sessionId: '2'.repeat(24),
  kind: 'interview',
  questionId: 2,
  title: 'Closures',
  email: 'ada@example.com',
  state: 'failed',
  answeredAt: '2026-11-20T08:00:00.000Z',
  changedAt: '2026-11-20T09:00:00.000Z',
  nextTryAt: null,
};

/** Serves two failed answers until they are retried or given up. @returns the requests sent */
function serve(stages = [stage('media'), stage('transcription', { failed: 2 }), stage('assessment', { waiting: 3 })]) {
  const sent: [string, ChosenAnswers][] = [];
  let failures = [failure];
  const handle = (path: string) =>
    http.post(`/api/recordings/queues/${path}`, async ({ request }) => {
      sent.push([path, (await request.json()) as ChosenAnswers]);
      failures = [];
      return HttpResponse.json({ changed: 2, left: 0 });
    });
  server.use(
    http.get('/api/recordings/queues', () => HttpResponse.json({ stages, others: [], failures })),
    http.post('/api/recordings/queues/answers', () => HttpResponse.json({ answers: [answer] })),
    handle('retry'),
    handle('give-up'),
  );
  signInBefore('admin');
  renderApp(paths.queues);
  return { sent, user: userEvent.setup() };
}

test('an admin sees each queue, and a description of each failure', async () => {
  serve();
  const row = within(await screen.findByRole('row', { name: /^Scoring/ }));
  expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['3', '0', '0', '0', '–']);
  expect(screen.getByText(reason)).toBeVisible();
  expect(screen.getByText(/Transcription · 2 answers/)).toBeVisible();
  expect(screen.getByText('Scoring: not finished')).toBeVisible();
});

test('all answers of a kind can be retried', async () => {
  const { sent, user } = serve();
  await user.click(await screen.findByRole('button', { name: `Try again: ${reason}` }));
  expect(await screen.findByText('2 answers queued again')).toBeVisible();
  expect(sent).toEqual([['retry', { stage: 'transcription', reason }]]);
  await waitFor(() => expect(screen.queryByText(reason)).toBeNull());
});

test('one answer can be given up after a confirmation, with a link to its recording', async () => {
  const { sent, user } = serve();
  const [first] = await screen.findAllByRole('button', { name: 'Show answers' });
  await user.click(first as HTMLElement);
  const link = await screen.findByRole('link', { name: 'Closures, question 3' });
  expect(link).toHaveAttribute('href', paths.interviewDetail(answer.sessionId));
  await user.click(screen.getByRole('button', { name: 'Give up: Closures, question 3, ada@example.com' }));
  expect(await screen.findByText('Give up 1 answer?')).toBeVisible();
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Give up' }));
  await waitFor(() => expect(sent).toEqual([['give-up', { stage: 'transcription', recordingId: answer.recordingId }]]));
});

test('it says so if nothing is left to do', async () => {
  const { user } = serve([stage('media'), stage('transcription'), stage('assessment')]);
  await user.click(await screen.findByRole('button', { name: `Try again: ${reason}` }));
  expect(await screen.findByText('Everything is done')).toBeVisible();
});
