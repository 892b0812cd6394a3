import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { api } from '../lib/api/base-api.ts';
import { routeRequest } from '../lib/api/route-request.ts';
import { server, userOf } from '../test/fake-api.ts';
import { tokenOf } from '../test/token-of.ts';
import '../lib/api/sets-api.ts';
import '../features/account/account-api.ts';
import { storeSignIn } from '../lib/state/sign-in-storage.ts';
import { createStore } from './store.ts';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const id = 'a'.repeat(24);
type Initiate = (input?: undefined, options?: object) => Parameters<ReturnType<typeof createStore>['dispatch']>[0];
const { listTechnologies, getMe } = api.endpoints as unknown as Record<
  'listTechnologies' | 'getMe',
  { initiate: Initiate }
>;
const go = { id, name: 'Go', slug: 'go' };

/** Responds to every call with `response` and records the requests. */
function answer(response: () => Response | Promise<Response>) {
  const requests: Request[] = [];
  server.use(
    http.all('*/api/*', ({ request }) => {
      requests.push(request.clone());
      return response();
    }),
  );
  return requests;
}

test("a route's input is sent in its path, its query or its body", () => {
  expect(routeRequest('listTechnologies')).toEqual({ url: '/api/technologies', method: 'GET' });
  expect(routeRequest('deletePracticeSet', { id })).toEqual({ url: `/api/practices/sets/${id}`, method: 'DELETE' });
  expect(routeRequest('interviewHistory', { limit: 25, technology: 'C & C++', cursor: undefined })).toEqual({
    url: '/api/interviews/history?limit=25&technology=C+%26+C%2B%2B',
    method: 'GET',
  });
  expect(routeRequest('updateUser', { id: 'a/b', technologies: ['go'] })).toEqual({
    url: '/api/users/a%2Fb',
    method: 'PUT',
    body: { technologies: ['go'] },
  });
  expect(routeRequest('requestDataExport', {})).toEqual({ url: '/api/recordings/export', method: 'POST', body: {} });
});

test('every call has the stored token and credentials', async () => {
  const requests = answer(() => HttpResponse.json({ technologies: [go] }));
  // The server can't see the request's credentials mode.
  const fetched = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetched.mockRestore());
  storeSignIn(userOf('admin'), tokenOf(userOf('admin')));
  expect(await createStore().dispatch(listTechnologies.initiate())).toMatchObject({ data: [go] });
  expect(requests[0]?.headers.get('Authorization')).toBe(`Bearer ${tokenOf(userOf('admin'))}`);
  expect(fetched.mock.calls[0]?.[0]).toHaveProperty('credentials', 'include');
});

test('without a stored token, none is sent', async () => {
  const requests = answer(() => HttpResponse.json({ technologies: [] }));
  await createStore().dispatch(listTechnologies.initiate());
  expect(requests[0]?.headers.get('Authorization')).toBeNull();
});

test("an error shows the server's message, or the call's fallback, or a general one", async () => {
  const store = createStore();
  answer(() => HttpResponse.json({ message: 'The disk is full' }, { status: 500 }));
  expect(await store.dispatch(listTechnologies.initiate())).toMatchObject({ error: { message: 'The disk is full' } });
  answer(() => new HttpResponse('<html>', { status: 500 }));
  const again = { forceRefetch: true };
  expect(await store.dispatch(listTechnologies.initiate(undefined, again))).toMatchObject({
    error: { message: 'Failed to fetch technologies' },
  });
  expect(await store.dispatch(getMe.initiate())).toMatchObject({ error: { message: 'Failed to fetch data' } });
});

test('a call has no time limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  answer(async () => {
    asked.resolve();
    await held.promise;
    return HttpResponse.json({ technologies: [go] });
  });
  const outcome = createStore().dispatch(listTechnologies.initiate());
  await asked.promise;
  await vi.advanceTimersByTimeAsync(24 * 3600 * 1000);
  held.resolve();
  expect(await outcome).toMatchObject({ data: [go] });
});
