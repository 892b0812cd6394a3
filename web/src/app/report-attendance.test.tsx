import { renderHook } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import '../features/account/account-api.ts';
import { api } from '../lib/api/base-api.ts';
import { useAttendance } from '../lib/attendance.ts';
import { selectSignIn } from '../lib/state/sign-in-slice.ts';
import { signInBefore, userOf } from '../test/fake-api.ts';
import { reportAttendance } from './report-attendance.ts';
import { createStore } from './store.ts';

const minuteMs = 60_000;

/** The `X-Unattended` header of each call. */
let calls: (string | null)[];
let status: number;
const server = setupServer(
  http.get('*/api/auth/me', ({ request }) => {
    calls.push(request.headers.get('x-unattended'));
    return HttpResponse.json({ user: userOf('others') }, { status });
  }),
);
let store: ReturnType<typeof createStore>;
let stop: () => void;
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  calls = [];
  status = 200;
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  signInBefore('others');
  store = createStore();
  stop = reportAttendance(store);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});
afterAll(() => server.close());

const press = () => window.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }));
async function load(): Promise<void> {
  const endpoints = api.endpoints as unknown as { getMe: { initiate: (none: undefined, how: object) => never } };
  await store.dispatch(endpoints.getMe.initiate(undefined, { forceRefetch: true }));
}

test('input is reported, at most once a minute; nothing is reported without input', async () => {
  press();
  await vi.advanceTimersByTimeAsync(10 * minuteMs);
  expect(calls).toEqual([]);
  press();
  press();
  await expect.poll(() => calls).toEqual([null]);
  vi.advanceTimersByTime(2 * minuteMs);
  document.body.dispatchEvent(new Event('timeupdate'));
  await expect.poll(() => calls).toEqual([null, null]);
});

test('automatic requests without input do not count as activity', async () => {
  press();
  await load();
  vi.advanceTimersByTime(3 * minuteMs);
  await load();
  expect(calls).toEqual([null, '1']);
});

test('an answer without input counts as activity, and an error does not interrupt it', async () => {
  const { rerender } = renderHook(({ isThere }) => useAttendance(isThere), { initialProps: { isThere: true } });
  status = 401;
  vi.advanceTimersByTime(3 * minuteMs);
  await expect.poll(() => calls.length).toBeGreaterThan(0);
  expect(selectSignIn(store.getState()).status).toBe('authenticated');
  rerender({ isThere: false });
  calls = [];
  vi.advanceTimersByTime(10 * minuteMs);
  expect(calls).toEqual([]);
});
