import { afterEach, expect, test, vi } from 'vitest';
import { goToProvider, keepAttempt, takeAttempt } from './provider-attempt.ts';

afterEach(() => {
  sessionStorage.clear();
  vi.restoreAllMocks();
});

const attempt = { attempt: 'secret', purpose: 'sign-in', name: 'Acme', returnTo: '/practice?set=1' } as const;

test('an attempt is stored for this window, and used once', () => {
  keepAttempt(attempt);
  expect(takeAttempt()).toEqual(attempt);
  expect(takeAttempt()).toBeNull();
  expect(localStorage.length).toBe(0);
});

test.each([
  'https://evil.example.com/',
  '//evil.example.com',
  '/\\evil.example.com',
  '\\\\evil.example.com',
  '/.//evil.example.com',
  'javascript:alert(1)',
  'http://',
])('a page to continue with belongs to this app: not %s', (returnTo) => {
  keepAttempt({ ...attempt, returnTo });
  expect(takeAttempt()?.returnTo).toBe('/');
});

test('an invalid attempt counts as none', () => {
  for (const stored of ['', 'text', '{"attempt":1}']) {
    sessionStorage.setItem('provider-attempt', stored);
    expect(takeAttempt()).toBeNull();
  }
});

test('the provider redirects to one origin: on any other it is not offered', () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  const page = (redirect: string) =>
    `https://login.example.com/auth?state=x&redirect_uri=${encodeURIComponent(redirect)}`;
  expect(goToProvider(page('https://prep.example.com/sign-in/callback'), attempt)).toBe(
    'Acme sends you back to https://prep.example.com. Please sign in there.',
  );
  const own = `${window.location.origin}/sign-in/callback`;
  expect(goToProvider(`javascript:alert(1)//?redirect_uri=${encodeURIComponent(own)}`, attempt)).toBe(
    'Failed to reach Acme',
  );
  expect([assign.mock.calls, takeAttempt()]).toEqual([[], null]);
  expect(goToProvider(page(own), attempt)).toBeUndefined();
  expect(assign).toHaveBeenCalledWith(page(own));
  expect(takeAttempt()).toEqual(attempt);
});
