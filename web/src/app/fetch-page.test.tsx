import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { readStoredSignIn, type StoredSignIn } from '../lib/state/sign-in-storage.ts';
import { server, setOf, signInBefore } from '../test/fake-api.ts';
import { App } from './app.tsx';
import { fetchPageAt } from './fetch-page.ts';
import { FirstPage } from './first-page.tsx';
import { createStore } from './store.ts';

/** The requests of each test, told apart by token, since the previous test's page may still be sending some. */
const asked = new Map<string, string[]>();
let tests = 0;

server.events.on('request:start', ({ request }) => {
  const { pathname, search } = new URL(request.url);
  // The layout's own requests.
  if (pathname === '/api/auth/draft-key') return;
  asked.get(request.headers.get('Authorization') ?? '')?.push(`${request.method} ${pathname}${search}`);
});

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => {
  vi.restoreAllMocks();
  server.resetHandlers();
});
afterAll(() => server.close());

/** Fetches a page as the browser's first script does. @returns the requests so far, updated live */
async function fetchPage(address: string): Promise<string[]> {
  tests += 1;
  signInBefore('others', { id: String(tests).padStart(24, 'e') });
  window.history.replaceState(null, '', address);
  const signIn = readStoredSignIn() as StoredSignIn;
  const requests: string[] = [];
  asked.set(`Bearer ${signIn.token}`, requests);
  await fetchPageAt(window.location, signIn);
  return requests;
}

test.each([
  ['/', 'Showing 1 interview set', 6],
  [`/interview/${setOf(1)._id}`, 'Check your microphone', 1],
  ['/interviews', 'No interviews found.', 1],
])('%s appears as soon as its code is loaded, and requests nothing twice', async (address, text, count) => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const requests = await fetchPage(address);
  // The fake API reports a request shortly after it was sent.
  await vi.waitFor(() => expect(requests).toHaveLength(count));
  const early = [...requests];
  render(<App store={createStore()} pages={<FirstPage />} />);
  expect(screen.getByRole('navigation', { name: 'Main' })).toBeVisible();
  expect(await screen.findByText(text, { exact: false })).toBeVisible();
  for (const each of early) expect(requests.filter((one) => one === each)).toEqual([each]);
});

test('the next page replaces one whose code was loaded first', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  await fetchPage('/interviews');
  render(<App store={createStore()} pages={<FirstPage />} />);
  await screen.findByText('No interviews found.');
  await userEvent.click(screen.getByRole('link', { name: 'Practice Interview' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Practice Interview' })).toBeVisible();
});

test('a filtered history is not requested before its filter is read', async () => {
  expect(await fetchPage('/interviews#email=a%40example.com')).toEqual([]);
});

test('a public page and an unknown address load without data', async () => {
  expect(await fetchPage('/forgot-password')).toEqual([]);
  expect(await fetchPage('/nowhere')).toEqual([]);
});
