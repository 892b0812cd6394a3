import type { AuditEntry } from '@interview-prep/contracts/audit/audit';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, signInBefore } from '../../../test/fake-api.ts';
import { pasteInto } from '../../../test/paste-into.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const entry = (place: number, rest: Partial<AuditEntry> = {}): AuditEntry => ({
  id: `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`,
  place,
  at: '2026-11-20T08:30:00.000Z',
  service: 'auth',
  action: 'sign-in',
  outcome: 'success',
  actor: 'a1',
  actorEmail: 'ada@example.com',
  address: '192.0.2.1',
  target: null,
  targetEmail: null,
  groupName: null,
  requestId: `${place}-4f1e2d3c-aaaa`,
  details: {},
  ...rest,
});

const entries = [
  entry(4, { action: 'user.delete', target: 'user:6643f2a90b1c2d3e4f506172' }),
  entry(3, { outcome: 'denied', actor: null, actorEmail: null, details: { reason: 'unauthorized' } }),
  entry(2, { action: 'set.update', target: 'set:6643f2a90b1c2d3e4f50aaaa' }),
];

/** Serves two pages. @returns the searches requested */
function serveLog() {
  const asked: object[] = [];
  server.use(
    http.post('*/api/audit/search', async ({ request }) => {
      const search = (await request.json()) as { outcome?: string; before?: number };
      asked.push(search);
      if (search.outcome === 'failed') return HttpResponse.json({ entries: [], next: null });
      return HttpResponse.json(search.before ? { entries: [entry(1)], next: null } : { entries, next: 2 });
    }),
  );
  return asked;
}
/** Shows the log to an admin. @returns the searches requested */
function openLog() {
  const asked = serveLog();
  signInBefore('admin');
  renderApp('/audit');
  return asked;
}
const rows = async () => within(await screen.findByRole('list', { name: 'Events' })).getAllByRole('listitem');

test('events show what was done, by whom, to whom, from where and with which outcome', async () => {
  openLog();
  const [deletion, refusal, change] = await rows();
  expect(deletion).toHaveTextContent('User deleted');
  expect(deletion).toHaveTextContent('ada@example.com on deleted user …\u2060506172');
  expect(deletion).toHaveTextContent('from 192.0.2.1 request 4-4f1e2d');
  expect(refusal).toHaveTextContent('Sign-inDeniedVisitor');
  expect(refusal).toHaveTextContent('not identified');
  // Copies the full id.
  await userEvent.setup().click(within(deletion!).getByRole('button', { name: 'request 4-4f1e2d' }));
  expect(await navigator.clipboard.readText()).toBe('4-4f1e2d3c-aaaa');
  expect(change).toHaveTextContent('Set changedada@example.com on set …\u206050aaaa');
});

test('older events are loaded on request', async () => {
  const asked = openLog();
  await userEvent.click(await screen.findByRole('button', { name: 'Show older events' }));
  await waitFor(async () => expect(await rows()).toHaveLength(4));
  expect(screen.queryByRole('button', { name: 'Show older events' })).toBeNull();
  expect(asked).toEqual([{ limit: 50 }, { limit: 50, before: 2 }]);
});

test("filters are kept in the URL's fragment and sent in the body; clearing them empties every field", async () => {
  const asked = openLog();
  await rows();
  await pasteInto(screen.getByLabelText('Person'), 'Ada@Example.com');
  await waitFor(() => expect(asked.at(-1)).toEqual({ person: 'ada@example.com', limit: 50 }));
  expect(screen.getByLabelText('Person')).toHaveFocus();
  await userEvent.selectOptions(screen.getByLabelText('Outcome'), 'Failed');
  expect(await screen.findByText('No event matches')).toBeVisible();
  expect(window.location.hash).toBe('#person=Ada%40Example.com&outcome=failed');
  expect(window.location.search).toBe('');
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await rows()).toHaveLength(3);
  expect(screen.getByLabelText('Person')).toHaveValue('');
  expect(window.location.hash).toBe('');
});

test('sign-ins can be hidden; a change shows before and after, and links to the user', async () => {
  const asked = openLog();
  await rows();
  const details = { from: 'others', to: 'admin' };
  const change = {
    ...entry(1),
    action: 'user.role',
    target: `user:${'a'.repeat(24)}`,
    targetEmail: 'bob@example.com',
    details,
  };
  server.use(
    http.post('*/api/audit/search', async ({ request }) => {
      asked.push((await request.json()) as object);
      return HttpResponse.json({ entries: [change], next: null });
    }),
  );
  await userEvent.click(screen.getByLabelText('Hide sign-ins and sign-outs'));
  expect(await screen.findByText(/Candidate → Admin/)).toBeVisible();
  expect(asked.at(-1)).toEqual({ hidesSignIns: true, limit: 50 });
  expect(screen.getByRole('link', { name: 'bob@example.com' })).toHaveAttribute('href', '/users#q=bob%40example.com');
});

test('changes of sets and reviews show before and after, and link to the set and the interview', async () => {
  const [setId, session] = ['a'.repeat(24), 'b'.repeat(24)];
  const found = [
    entry(3, {
      action: 'set.update',
      target: `set:${setId}`,
      details: { kind: 'interview', status: 'draft → published', timeLimitSeconds: '60 → 90', questions: '2 → 3' },
    }),
    entry(2, { action: 'set.update', target: `set:${setId}`, details: { kind: 'practice', title: 'A → B' } }),
    entry(1, {
      action: 'recording.review',
      target: `recording:${'c'.repeat(24)}`,
      details: { from: '45% by the judge', to: '80%', session },
    }),
    entry(0, { action: 'set.update', outcome: 'failed', details: { reason: 'edit_conflict' } }),
    entry(0, {
      id: 'coach',
      action: 'group.person',
      target: `user:${'d'.repeat(24)}`,
      targetEmail: 'bob@example.com',
      groupName: 'Autumn',
      details: { group: 'e'.repeat(24), from: 'member', to: 'coach' },
    }),
    entry(0, { id: 'group', action: 'group.update', target: `group:${'e'.repeat(24)}`, groupName: 'Autumn' }),
  ];
  openLog();
  server.use(http.post('*/api/audit/search', () => HttpResponse.json({ entries: found, next: null })));
  const [change, practice, review, refusal, coach, group] = await rows();
  expect(change).toHaveTextContent('status draft → published, time limit seconds 60 → 90, questions 2 → 3');
  expect(within(change!).getByRole('link', { name: /interview set/ })).toHaveAttribute('href', `/edit/${setId}`);
  expect(within(practice!).getByRole('link', { name: /practice set/ })).toHaveAttribute('href', '/admin/practice');
  expect(review).toHaveTextContent('45% by the judge → 80%');
  expect(review).not.toHaveTextContent(session);
  expect(within(review!).getByRole('link', { name: /recording/ })).toHaveAttribute('href', `/interviews/${session}`);
  expect(refusal).toHaveTextContent('changed by someone else in the meantime');
  expect(coach).toHaveTextContent('on bob@example.com');
  expect(coach).toHaveTextContent('member → coach, group Autumn request');
  expect(within(group!).getByRole('link', { name: 'group “Autumn”' })).toHaveAttribute(
    'href',
    `/groups/${'e'.repeat(24)}`,
  );
});

test('a failed load can be retried', async () => {
  server.use(http.post('*/api/audit/search', () => HttpResponse.json({ message: 'The log is away' }, { status: 503 })));
  signInBefore('admin');
  renderApp('/audit');
  expect(await screen.findByText('The log is away')).toBeVisible();
  serveLog();
  await userEvent.click((await screen.findAllByRole('button', { name: 'Try again' }))[0]!);
  expect(await rows()).toHaveLength(3);
});
