import type { Assignment } from '@interview-prep/contracts/recording/assignments';
import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, setOf, signInBefore } from '../test/fake-api.ts';
import { renderApp } from '../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const setId = setOf(1)._id;
function workOf(changes: Partial<Assignment> = {}): Assignment {
  return {
    id: 'a1',
    groupId: 'g1',
    title: 'Week 1',
    sets: [{ kind: 'interview', setId, title: 'Set 1', questionCount: 2 }],
    opensAt: inDays(-1),
    dueAt: inDays(3),
    timeZone: 'UTC',
    takes: 2,
    timeLimitSeconds: null,
    minimumScore: 60,
    feedback: 'release',
    closesLate: false,
    releasedAt: null,
    createdAt: inDays(-2),
    own: [{ setId, takesUsed: 0, newest: null }],
    ...changes,
  };
}
async function open(...assignments: Assignment[]) {
  server.use(http.get('*/api/assignments', () => HttpResponse.json({ assignments })));
  signInBefore('others');
  renderApp('/');
  return within(await screen.findByRole('region', { name: 'Week 1' }));
}

test('assigned work shows what, until when, how long and the progress, and starts the assignment', async () => {
  const card = await open(workOf());
  expect(card.getByText(/Due .*in 3 days.*Wanted: 60% or more/)).toBeVisible();
  expect(card.getByText('2 questions, about 4 min · 0 of 2 takes used')).toBeVisible();
  expect(card.getByRole('link', { name: 'Start: Set 1' })).toHaveAttribute('href', `/interview/${setId}?assignment=a1`);
});

test('work in progress can be resumed; late work is marked', async () => {
  const newest = { interviewId: 'i1', answered: 1, questionCount: 2 };
  const card = await open(workOf({ dueAt: inDays(-1), own: [{ setId, takesUsed: 1, newest }] }));
  expect(card.getByText('Late')).toBeVisible();
  expect(card.getByRole('link', { name: 'Resume (1 of 2 done): Set 1' })).toHaveAttribute(
    'href',
    `/interview/${setId}?continue=i1`,
  );
});

test.each([
  ['before it opens', { opensAt: inDays(1) }],
  ['once it is closed', { dueAt: inDays(-1), closesLate: true }],
  [
    'after the last take',
    { own: [{ setId, takesUsed: 2, newest: { interviewId: 'i', answered: 2, questionCount: 2 } }] },
  ],
])('there is no start button %s', async (_when, changes) => {
  const card = await open(workOf(changes));
  expect(card.queryByRole('link')).toBeNull();
});
