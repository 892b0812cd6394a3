import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import '../features/account/account-api.ts';
import '../features/admin/interview-sets/interview-set-changes-api.ts';
import '../features/admin/practice-sets/practice-set-changes-api.ts';
import '../features/admin/technologies/technology-changes-api.ts';
import '../features/admin/users/users-api.ts';
import '../features/history/correction/corrections-api.ts';
import '../features/history/history-api.ts';
import '../features/history/review/reviews-api.ts';
import '../features/history/share/shares-api.ts';
import '../lib/api/interview-sets-api.ts';
import '../lib/api/practice-sets-api.ts';
import '../features/sign-in/sign-in-api.ts';
import '../lib/api/technologies-api.ts';
import { api } from '../lib/api/base-api.ts';
import { storeSignIn } from '../lib/state/sign-in-storage.ts';
import { userOf } from '../test/fake-api.ts';
import { type Call, calls, technology } from '../test/specified-calls.ts';
import { tokenOf } from '../test/token-of.ts';
import { createStore } from './store.ts';

/** What an endpoint's `initiate` answers once it is dispatched. */
interface Outcome {
  data?: unknown;
  error?: { message: string };
}
type Start = (given: unknown) => Parameters<ReturnType<typeof createStore>['dispatch']>[0];

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => {
  vi.restoreAllMocks();
  server.resetHandlers();
});
afterAll(() => server.close());

/** Makes the call as a screen does, against a server that answers each request alike; gives the request and the outcome. */
async function make({ endpoint, given, wire }: Call, answer: () => Response) {
  const requests: Request[] = [];
  server.use(
    http.all('*/api/*', ({ request }) => {
      requests.push(request.clone());
      return answer();
    }),
  );
  storeSignIn(userOf('admin'), tokenOf(userOf('admin')));
  const endpoints = api.endpoints as unknown as Record<string, { initiate: Start }>;
  const start = endpoints[endpoint]?.initiate;
  if (!start) throw new Error(`There is no endpoint ${endpoint}`);
  const outcome = (await createStore().dispatch(start(given))) as unknown as Outcome;
  expect(requests, `${wire} was sent once`).toHaveLength(1);
  return { request: requests[0] as Request, outcome };
}

describe.each(calls)('$wire', (call) => {
  test('sends the stored token and its arguments, and returns the answer', async () => {
    // The server does not see the browser's mode for credentials.
    const fetching = vi.spyOn(globalThis, 'fetch');
    const { request, outcome } = await make(call, () =>
      call.answer === null ? new HttpResponse(null, { status: 204 }) : HttpResponse.json(call.answer as object),
    );
    expect(`${request.method} ${new URL(request.url).pathname}`).toBe(call.wire);
    expect(request.headers.get('Authorization')).toBe(`Bearer ${tokenOf(userOf('admin'))}`);
    const body = await request.text();
    expect(body === '' ? undefined : JSON.parse(body)).toEqual(call.body);
    if (call.credentials) expect(fetching.mock.calls[0]?.[0]).toHaveProperty('credentials', 'include');
    expect(outcome.data).toEqual(call.result);
  });

  test(`fails with the server's message, else '${call.fallback}'`, async () => {
    const refused = await make(call, () => HttpResponse.json({ message: 'The disk is full' }, { status: 500 }));
    expect(refused.outcome.error?.message).toBe('The disk is full');
    const unexplained = await make(call, () => new HttpResponse('<html>', { status: 500 }));
    expect(unexplained.outcome.error?.message).toBe(call.fallback);
  });
});

test('without a stored token none is sent', async () => {
  const tokens: (string | null)[] = [];
  server.use(
    http.get('*/api/technologies', ({ request }) => {
      tokens.push(request.headers.get('Authorization'));
      return HttpResponse.json({ technologies: [] });
    }),
  );
  const endpoints = api.endpoints as unknown as Record<string, { initiate: Start }>;
  await createStore().dispatch((endpoints.listTechnologies as { initiate: Start }).initiate(undefined));
  expect(tokens).toEqual([null]);
});

test('a call without a fallback message says that data could not be fetched', async () => {
  const { outcome } = await make(
    { endpoint: 'getMe', wire: 'GET /api/auth/me', answer: null, result: null, fallback: '' },
    () => new HttpResponse(null, { status: 500 }),
  );
  expect(outcome.error?.message).toBe('Failed to fetch data');
});

test('a call has no time limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  server.use(
    http.get('*/api/technologies', async () => {
      asked.resolve();
      await held.promise;
      return HttpResponse.json({ technologies: [technology] });
    }),
  );
  const endpoints = api.endpoints as unknown as Record<string, { initiate: Start }>;
  const outcome = createStore().dispatch((endpoints.listTechnologies as { initiate: Start }).initiate(undefined));
  await asked.promise;
  await vi.advanceTimersByTimeAsync(24 * 3600 * 1000);
  held.resolve();
  expect(await outcome).toMatchObject({ data: [technology] });
});
