import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, setOf, signInBefore, userOf } from '../../test/fake-api.ts';
import { renderApp } from '../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const serveSets = (count: number) =>
  server.use(
    http.get('*/api/interviews/sets', () =>
      HttpResponse.json({ interviewSets: Array.from({ length: count }, (_, index) => setOf(index + 1)) }),
    ),
  );

test('a card shows title, technology, rating, question count, three tags with the number of others, and the creator', async () => {
  signInBefore('others');
  renderApp('/');
  const card = within((await screen.findByRole('heading', { name: 'Set 1' })).closest('li') as HTMLElement);
  expect(card.getByText('React')).toBeVisible();
  expect(card.getByText('★ 4.5')).toBeVisible();
  expect(card.getByText('2 questions')).toBeVisible();
  expect(
    within(card.getByRole('list', { name: 'Tags' }))
      .getAllByRole('listitem')
      .map((tag) => tag.textContent),
  ).toEqual(['a', 'b', 'c', '+2']);
  expect(card.getByText('Created by admin@example.com')).toBeVisible();
  expect(card.getByRole('link', { name: /Take Interview/ })).toHaveAttribute('href', `/interview/${setOf(1)._id}`);
  expect(card.queryByRole('link', { name: /Edit/ })).toBeNull();
});

test('an admin can edit; a set without a creator shows Unknown', async () => {
  server.use(
    http.get('*/api/interviews/sets', () => HttpResponse.json({ interviewSets: [setOf(1, { createdBy: null })] })),
  );
  signInBefore('admin');
  renderApp('/');
  expect(await screen.findByRole('link', { name: /Edit/ })).toHaveAttribute('href', `/edit/${setOf(1)._id}`);
  expect(screen.getByText('Created by Unknown')).toBeVisible();
});

test('ten sets per page with numbered pages; page and filter are in the URL', async () => {
  serveSets(23);
  signInBefore('others');
  renderApp('/');
  expect(await screen.findByText('Showing 23 interview sets')).toBeVisible();
  expect(screen.getAllByRole('link', { name: /Take Interview/ })).toHaveLength(10);
  await userEvent.click(screen.getByRole('button', { name: 'Page 3' }));
  expect(screen.getAllByRole('link', { name: /Take Interview/ })).toHaveLength(3);
  expect(window.location.search).toBe('?page=3');
  await userEvent.click(screen.getByRole('button', { name: /^React/ }));
  expect(window.location.search).toBe('?category=react');
  expect(screen.getByRole('button', { name: /^React/ })).toHaveAttribute('aria-pressed', 'true');
});

test('an empty category says so, and leads back to all', async () => {
  signInBefore('others');
  renderApp('/?category=go');
  expect(await screen.findByText('No interview sets found for this category.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Show all categories' }));
  expect(await screen.findByText('Showing 1 interview set')).toBeVisible();
});

test('a set that the user has taken shows when and with what result', async () => {
  const item = {
    userId: userOf('others').id,
    interviewSetId: setOf(1)._id,
    createdAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
    averageCorrectness: 71.6,
    _id: 'cccccccccccccccccccccccc',
    answeredCount: 1,
    questionCount: 2,
    reviewedCount: 1,
  };
  server.use(
    http.post('*/api/interviews/history/search', () =>
      HttpResponse.json({ recordings: [item], nextCursor: null, total: 1 }),
    ),
  );
  signInBefore('others');
  renderApp('/');
  expect(await screen.findByText(/Last taken/)).toHaveTextContent(
    'Last taken 3 days ago, 72% · 1 scored by a reviewer',
  );
  expect(screen.getByRole('link', { name: 'Resume (1 of 2 done): Set 1' })).toHaveAttribute(
    'href',
    `/interview/${setOf(1)._id}?continue=${item._id}`,
  );
});

test('an answer that was cut off is offered immediately, with a link to its set', async () => {
  const upload = (id: string, changes: object = {}) => ({
    id,
    kind: 'interview',
    sessionId: id,
    setId: setOf(1)._id,
    questionId: 0,
    question: '1. What is JSX?',
    title: 'Set 1',
    state: 'cut_off',
    nextPart: 3,
    receivedBytes: 90_000,
    durationMs: 42_000,
    startedAt: '2026-11-20T10:00:00.000Z',
    lastPartAt: '2026-11-20T10:01:00.000Z',
    recordingId: null,
    ...changes,
  });
  const uploads = [upload('a'), upload('b', { state: 'open' }), upload('c', { nextPart: 0 })];
  server.use(http.get('*/api/uploads', () => HttpResponse.json({ uploads })));
  signInBefore('others');
  renderApp('/');
  const card = within(await screen.findByRole('region', { name: 'Answers that were cut off' }));
  expect(card.getByRole('heading')).toHaveTextContent('An answer was cut off');
  expect(card.getByText('Set 1: What is JSX? (cut off after 0:42)')).toBeVisible();
  expect(card.getByRole('link', { name: 'Send it or record it again' })).toHaveAttribute(
    'href',
    `/interview/${setOf(1)._id}`,
  );
});

test('a failed load shows the reason and can be retried', async () => {
  server.use(http.get('*/api/interviews/sets', () => new HttpResponse(null, { status: 502 }), { once: true }));
  signInBefore('others');
  renderApp('/');
  expect(await screen.findByText('Failed to fetch interview sets')).toBeVisible();
  expect(await screen.findByText('Failed to fetch data')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Showing 1 interview set')).toBeVisible();
});

test.each([
  ['technologies', 'Failed to fetch technologies'],
  ['interviews/history/search', 'Failed to fetch interview history'],
])('sets are shown without %s; the failure and its reason are shown, with a way to retry', async (path, reason) => {
  server.use(http.all(`*/api/${path}`, () => new HttpResponse(null, { status: 502 }), { once: true }));
  signInBefore('others');
  renderApp('/');
  expect(await screen.findByText(reason)).toBeVisible();
  expect(await screen.findByText('Failed to fetch data')).toBeVisible();
  expect(screen.getByText('Showing 1 interview set')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText(reason)).toBeNull());
  expect(screen.getByRole('button', { name: /^React/ })).toBeVisible();
});
