import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import '../features/account/account-api.ts';
import '../features/admin/interview-sets/interview-set-changes-api.ts';
import '../features/admin/practice-sets/practice-set-changes-api.ts';
import '../features/admin/technologies/technology-changes-api.ts';
import '../features/admin/users/users-api.ts';
import '../features/history/history-api.ts';
import '../features/interview-sets/interview-sets-api.ts';
import '../features/practice-sets/practice-sets-api.ts';
import '../features/sign-in/session-api.ts';
import '../features/technologies/technologies-api.ts';
import { userOf } from '../test/fake-api.ts';
import { api } from './base-api.ts';
import { writeSession } from './session-storage.ts';
import { createStore } from './store.ts';

interface Call {
  /** Name of the endpoint, and what it is given. */
  endpoint: string;
  given?: unknown;
  /** What goes over the wire. */
  wire: `${'GET' | 'POST' | 'PUT' | 'DELETE'} ${string}`;
  body?: unknown;
  credentials?: true;
  /** The answer, and what the product makes of it. */
  answer: unknown;
  result: unknown;
  /** The message where the server gives none. */
  fallback: string;
}

const one = { _id: 'a', title: 'Hooks' };
const technology = { id: 'a', name: 'Go', slug: 'go' };
const user = userOf('dev');
const set = { title: 'Hooks', technology: 'react', questions: ['Why?'], tags: ['a'] };
const practiceSet = { ...set, answers: ['So.'] };
const page = { recordings: [one], nextCursor: null, total: 1 };
const detail = { sessionId: 's', questions: ['Why?'], recordings: [] };
const listed = { pages: [page], pageParams: [null] };

const calls: readonly Call[] = [
  {
    endpoint: 'listTechnologies',
    wire: 'GET /api/technologies',
    answer: { technologies: [technology] },
    result: [technology],
    fallback: 'Failed to fetch technologies',
  },
  {
    endpoint: 'createTechnology',
    given: { name: 'Go' },
    wire: 'POST /api/technologies',
    body: { name: 'Go' },
    answer: { technology },
    result: technology,
    fallback: 'Failed to create technology',
  },
  {
    endpoint: 'updateTechnology',
    given: { id: 'a', name: 'Go' },
    wire: 'PUT /api/technologies/a',
    body: { name: 'Go' },
    answer: { technology },
    result: technology,
    fallback: 'Failed to update technology',
  },
  {
    endpoint: 'deleteTechnology',
    given: 'a',
    wire: 'DELETE /api/technologies/a',
    answer: null,
    result: null,
    fallback: 'Failed to delete technology',
  },
  {
    endpoint: 'listInterviewSets',
    wire: 'GET /api/interviews/sets',
    answer: { interviewSets: [one] },
    result: [one],
    fallback: 'Failed to fetch interview sets',
  },
  {
    endpoint: 'createInterviewSet',
    given: set,
    wire: 'POST /api/interviews/sets',
    body: set,
    answer: { interviewSet: one },
    result: one,
    fallback: 'Failed to create interview set',
  },
  {
    endpoint: 'updateInterviewSet',
    given: { id: 'a', body: set },
    wire: 'PUT /api/interviews/sets/a',
    body: set,
    answer: { interviewSet: one },
    result: one,
    fallback: 'Failed to update interview set',
  },
  {
    endpoint: 'deleteInterviewSet',
    given: 'a',
    wire: 'DELETE /api/interviews/sets/a',
    answer: null,
    result: null,
    fallback: 'Failed to delete interview set',
  },
  {
    endpoint: 'listPracticeSets',
    wire: 'GET /api/practice',
    credentials: true,
    answer: { practiceSets: [one] },
    result: [one],
    fallback: 'Failed to fetch practice sets',
  },
  {
    endpoint: 'createPracticeSet',
    given: practiceSet,
    wire: 'POST /api/practice',
    credentials: true,
    body: practiceSet,
    answer: { practiceSet: one },
    result: one,
    fallback: 'Failed to create practice set',
  },
  {
    endpoint: 'updatePracticeSet',
    given: { id: 'a', body: practiceSet },
    wire: 'PUT /api/practice/a',
    credentials: true,
    body: practiceSet,
    answer: { practiceSet: one },
    result: one,
    fallback: 'Failed to update practice set',
  },
  {
    endpoint: 'deletePracticeSet',
    given: 'a',
    wire: 'DELETE /api/practices/sets/a',
    credentials: true,
    answer: null,
    result: null,
    fallback: 'Failed to delete practice set',
  },
  {
    endpoint: 'sessionHistory',
    given: { kind: 'practice', email: '', technology: '' },
    wire: 'GET /api/practice/history',
    credentials: true,
    answer: page,
    result: listed,
    fallback: 'Failed to fetch practice history',
  },
  {
    endpoint: 'sessionDetail',
    given: { kind: 'practice', id: 'a' },
    wire: 'GET /api/practice/details/a',
    credentials: true,
    answer: detail,
    result: detail,
    fallback: 'Failed to fetch practice details',
  },
  {
    endpoint: 'sessionHistory',
    given: { kind: 'interview', email: '', technology: '' },
    wire: 'GET /api/interviews/history',
    answer: page,
    result: listed,
    fallback: 'Failed to fetch interview history',
  },
  {
    endpoint: 'sessionDetail',
    given: { kind: 'interview', id: 'a' },
    wire: 'GET /api/interviews/a',
    credentials: true,
    answer: detail,
    result: detail,
    fallback: 'Failed to fetch interview details',
  },
  {
    endpoint: 'listUsers',
    wire: 'GET /api/users',
    answer: { users: [user] },
    result: [user],
    fallback: 'Failed to fetch users',
  },
  {
    endpoint: 'updateUserTechnologies',
    given: { id: 'a', technologies: ['go'] },
    wire: 'PUT /api/users/a',
    body: { technologies: ['go'] },
    answer: { user },
    result: user,
    fallback: 'Failed to update user',
  },
  {
    endpoint: 'deleteUser',
    given: 'a',
    wire: 'DELETE /api/users/a',
    answer: null,
    result: null,
    fallback: 'Failed to delete user',
  },
  {
    endpoint: 'login',
    given: { email: 'a@example.com', password: 'secret' },
    wire: 'POST /api/auth/login',
    body: { email: 'a@example.com', password: 'secret' },
    answer: { user: { ...user, token: 't' } },
    result: { ...user, token: 't' },
    fallback: 'Authentication failed',
  },
  {
    endpoint: 'googleLogin',
    given: { accessToken: 'g' },
    wire: 'POST /api/auth/google',
    body: { accessToken: 'g' },
    answer: { user: { ...user, token: 't' } },
    result: { ...user, token: 't' },
    fallback: 'Google authentication failed',
  },
  {
    endpoint: 'registerDeveloper',
    given: { email: 'a@example.com', password: 'long enough', technologies: ['go'] },
    wire: 'POST /api/auth/register',
    body: { email: 'a@example.com', password: 'long enough', role: 'dev', technologies: ['go'] },
    answer: { user },
    result: user,
    fallback: 'Failed to register user',
  },
  {
    endpoint: 'requestPasswordReset',
    given: { email: 'a@example.com' },
    wire: 'POST /api/auth/forgot-password',
    body: { email: 'a@example.com' },
    answer: { message: 'sent' },
    result: { message: 'sent' },
    fallback: 'Failed to request password reset',
  },
  {
    endpoint: 'resetPassword',
    given: { token: 't', password: 'long enough' },
    wire: 'POST /api/auth/reset-password',
    body: { token: 't', password: 'long enough' },
    answer: { message: 'done' },
    result: { message: 'done' },
    fallback: 'Failed to reset password',
  },
  {
    endpoint: 'changePassword',
    given: { currentPassword: 'old', newPassword: 'long enough' },
    wire: 'POST /api/auth/change-password',
    body: { currentPassword: 'old', newPassword: 'long enough' },
    answer: { message: 'done' },
    result: { message: 'done' },
    fallback: 'Failed to change password',
  },
];

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
  writeSession(userOf('admin'), 'stored-token');
  const endpoints = api.endpoints as unknown as Record<string, { initiate: Start }>;
  const start = endpoints[endpoint]?.initiate;
  if (!start) throw new Error(`There is no endpoint ${endpoint}`);
  const outcome = (await createStore().dispatch(start(given))) as unknown as Outcome;
  expect(requests, `${wire} was sent once`).toHaveLength(1);
  return { request: requests[0] as Request, outcome };
}

describe.each(calls)('$wire', (call) => {
  test('carries the stored token and what it is given, and its answer is used', async () => {
    // The server does not see what the browser was told of credentials.
    const fetching = vi.spyOn(globalThis, 'fetch');
    const { request, outcome } = await make(call, () =>
      call.answer === null ? new HttpResponse(null, { status: 204 }) : HttpResponse.json(call.answer as object),
    );
    expect(`${request.method} ${new URL(request.url).pathname}`).toBe(call.wire);
    expect(request.headers.get('Authorization')).toBe('Bearer stored-token');
    const body = await request.text();
    expect(body === '' ? undefined : JSON.parse(body)).toEqual(call.body);
    if (call.credentials) expect(fetching.mock.calls[0]?.[0]).toHaveProperty('credentials', 'include');
    expect(outcome.data).toEqual(call.result);
  });

  test(`fails with the server's message, else '${call.fallback}'`, async () => {
    const told = await make(call, () => HttpResponse.json({ message: 'The disk is full' }, { status: 500 }));
    expect(told.outcome.error?.message).toBe('The disk is full');
    const untold = await make(call, () => new HttpResponse('<html>', { status: 500 }));
    expect(untold.outcome.error?.message).toBe(call.fallback);
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

test('what has no fallback of its own says that data could not be fetched', async () => {
  const { outcome } = await make(
    { endpoint: 'getMe', wire: 'GET /api/auth/me', answer: null, result: null, fallback: '' },
    () => new HttpResponse(null, { status: 500 }),
  );
  expect(outcome.error?.message).toBe('Failed to fetch data');
});

test('a call waits for its answer without a limit', async () => {
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
