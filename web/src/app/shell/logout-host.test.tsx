import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { keepProgress } from '../../features/answering/session/session-progress.ts';
import type { Draft } from '../../lib/drafts/draft.ts';
import { heldInTab, holdInTab, releaseFromTab } from '../../lib/drafts/tab-memory.ts';
import { server, setOf, signInBefore, userOf } from '../../test/fake-api.ts';
import { holdUploads, savedAs } from '../../test/held-uploads.ts';
import { renderApp } from '../../test/render-app.tsx';
import { tokenOf } from '../../test/token-of.ts';

const userId = userOf('others').id;
const { _id: setId, title: setTitle, updatedAt: setUpdatedAt } = setOf(1);

/** Stores an answer to question 1 or 2 in the browser, as an offline interview does. */
function leaveAnswer(questionId: number, owner = userId): void {
  const startedAtMs = Date.now() - 60_000 + questionId;
  const draft: Draft = {
    id: `draft-${owner}-${questionId}`,
    kind: 'interview',
    userId: owner,
    setId,
    sessionId: '11111111-1111-4111-8111-111111111111',
    questionId,
    setTitle,
    setUpdatedAt,
    mediaType: 'audio/webm',
    startedAtMs,
  };
  holdInTab(draft, [{ blob: new Blob([new Uint8Array(4000)]), atMs: startedAtMs + 12_000 }]);
}
const leftOf = (owner = userId) => heldInTab(owner).map(({ draft }) => draft.questionId);

let held: ReturnType<typeof holdUploads>;
let logouts: number;

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  held = holdUploads();
  logouts = 0;
  server.use(
    http.post('*/api/auth/logout', () => {
      logouts += 1;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  signInBefore('others');
});
afterEach(() => {
  for (const owner of [userId, 'somebody-else']) for (const { draft } of heldInTab(owner)) releaseFromTab(draft.id);
  sessionStorage.clear();
  vi.restoreAllMocks();
  server.resetHandlers();
});
afterAll(() => server.close());

const button = (name: string) => screen.findByRole('button', { name });
async function chooseLogout() {
  renderApp('/');
  await userEvent.click(await screen.findByRole('button', { name: /Account menu for/ }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Logout' }));
}
const loginScreen = () => screen.findByRole('heading', { name: 'Interview Platform Login' });

test('a logout sends the answers that this browser still has, and then signs out', async () => {
  leaveAnswer(0);
  leaveAnswer(1);
  await chooseLogout();
  expect(await screen.findByText('Set 1, question 2')).toBeVisible();
  expect(logouts).toBe(0);
  await userEvent.click(await button('Send and log out'));
  const first = await held.latest(1);
  expect(first.target.questionId).toBe(0);
  first.answer(savedAs(0));
  (await held.latest(2)).answer(savedAs(1));
  expect(await loginScreen()).toBeVisible();
  expect(leftOf()).toEqual([]);
  expect(logouts).toBe(1);
});

test('an answer that cannot be sent keeps its user signed in, and shows the reason', async () => {
  leaveAnswer(0);
  leaveAnswer(1);
  await chooseLogout();
  await userEvent.click(await button('Send and log out'));
  (await held.latest(1)).answer(savedAs(0));
  const refusal = { message: 'Your recordings take up all the room that you have.', code: 'storage_full' };
  (await held.latest(2)).answer(HttpResponse.json(refusal, { status: 429 }));
  expect(await screen.findByText(refusal.message)).toBeVisible();
  expect(leftOf()).toEqual([1]);
  expect(logouts).toBe(0);
  await userEvent.click(await button('Stay signed in'));
  await waitFor(() => expect(screen.queryByText(refusal.message)).toBeNull());
  expect(localStorage.getItem('authToken')).toBe(tokenOf(userOf('others')));
  expect(leftOf()).toEqual([1]);
});

test('a logout deletes the answers if the user chooses so, and no one else’s', async () => {
  leaveAnswer(0);
  leaveAnswer(0, 'somebody-else');
  keepProgress(userId, setId, { sessionId: 'a', questions: ['Why?'], asked: [0], index: 0, saved: [] });
  await chooseLogout();
  await userEvent.click(await button('Delete 1 answer and log out'));
  expect(await loginScreen()).toBeVisible();
  expect([leftOf(), leftOf('somebody-else')]).toEqual([[], [0]]);
  expect(held.uploads).toEqual([]);
  expect(sessionStorage.length).toBe(0);
  expect(localStorage.length).toBe(0);
});

test('while another tab records, a logout says so, and does not send half an answer', async () => {
  leaveAnswer(0);
  const held = [{ name: 'answering:11111111-1111-4111-8111-111111111111' }];
  vi.spyOn(navigator, 'locks', 'get').mockReturnValue({
    request: async () => undefined,
    query: async () => ({ held, pending: [] }),
  } as unknown as LockManager);
  await chooseLogout();
  expect(
    await screen.findByText('Another tab is recording an answer. Stay signed in to finish it there.'),
  ).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Send and log out' })).toBeNull();
  await userEvent.click(await button('Stay signed in'));
  expect(leftOf()).toEqual([0]);
});
