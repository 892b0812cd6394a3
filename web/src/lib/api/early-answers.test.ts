import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { fetchOrTake, sendEarly } from './early-answers.ts';

const url = '/api/reviews';
let sent: string[] = [];
const server = setupServer();

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => {
  sent = [];
  server.resetHandlers();
});
afterAll(() => server.close());

function answer(path = `*${url}`) {
  server.use(
    http.all(path, async ({ request }) => {
      sent.push(`${request.method} ${request.headers.get('Authorization')} ${await request.text()}`.trim());
      return HttpResponse.json({ number: sent.length });
    }),
  );
}

/** Sends a request as RTK Query does. @returns the number of the request whose response came back, from 1 */
async function ask(token: string, body?: object): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  const request = new Request(url, body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers });
  return ((await (await fetchOrTake(request)).json()) as { number: number }).number;
}

test('an early response is used once', async () => {
  answer();
  sendEarly([{ url, method: 'GET' }], 'mine');
  expect(await ask('mine')).toBe(1);
  expect(sent).toEqual(['GET Bearer mine']);
  expect(await ask('mine')).toBe(2);
});

test('another sign-in does not get it', async () => {
  answer();
  sendEarly([{ url, method: 'GET' }], 'mine');
  expect(await ask('theirs')).toBe(2);
  expect(sent).toEqual(['GET Bearer mine', 'GET Bearer theirs']);
});

test('requests with a body are matched too', async () => {
  answer();
  sendEarly([{ url, method: 'POST', body: { email: 'a@example.com' } }], 'mine');
  expect(await ask('mine', { email: 'b@example.com' })).toBe(2);
  sendEarly([{ url, method: 'POST', body: { email: 'a@example.com' } }], 'mine');
  expect(await ask('mine', { email: 'a@example.com' })).toBe(3);
});

test('a response older than a minute is not used', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  answer();
  sendEarly([{ url, method: 'GET' }], 'mine');
  vi.advanceTimersByTime(61_000);
  expect(await ask('mine')).toBe(2);
});

test('a lost connection fails the call that uses it, and not the next', async () => {
  server.use(http.get(`*${url}`, () => HttpResponse.error(), { once: true }));
  sendEarly([{ url, method: 'GET' }], 'mine');
  await expect(ask('mine')).rejects.toThrow();
  answer();
  expect(await ask('mine')).toBe(1);
});
