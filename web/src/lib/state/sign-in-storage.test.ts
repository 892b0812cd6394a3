import type { User } from '@interview-prep/contracts/auth/users';
import { expect, test } from 'vitest';
import { tokenOf } from '../../test/token-of.ts';
import { clearStoredSignIn, readStoredSignIn, storeSignIn } from './sign-in-storage.ts';

const user: User = {
  id: 'a',
  email: 'zoë@example.com',
  role: 'others',
  technologies: ['go'],
  plan: 'basic',
  createdAt: '2026-11-01T00:00:00.000Z',
  lastLogin: '2026-11-02T00:00:00.000Z',
};
const token = tokenOf(user);
const stored = () => [localStorage.getItem('user'), localStorage.getItem('authToken')];

test('user and token together restore the sign-in, under the specified storage keys', () => {
  storeSignIn(user, token);
  expect(localStorage.getItem('authToken')).toBe(token);
  expect(readStoredSignIn()).toEqual({ user, token });
});

test('the user record has no email, role or last login: these come from the token', () => {
  storeSignIn({ ...user, reviewMail: true }, token);
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual({
    id: 'a',
    technologies: ['go'],
    plan: 'basic',
    reviewMail: true,
    createdAt: user.createdAt,
  });
});

test("an earlier release's record is read, without what the token contains", () => {
  localStorage.setItem('user', JSON.stringify(user));
  localStorage.setItem('authToken', token);
  expect(readStoredSignIn()).toEqual({ user, token });
  expect(localStorage.getItem('user')).not.toMatch(/example|others/);
  expect(readStoredSignIn()).toEqual({ user, token });
});

test('one without the other restores nothing', () => {
  storeSignIn(user, null);
  expect(readStoredSignIn()).toBeNull();
  clearStoredSignIn();
  localStorage.setItem('authToken', token);
  expect(readStoredSignIn()).toBeNull();
});

test('user and token of different users restore nothing; another tab may be about to write the token', () => {
  storeSignIn(user, tokenOf({ ...user, id: 'b' }));
  expect(readStoredSignIn()).toBeNull();
  expect(stored()).not.toContain(null);
});

test.each(['{broken', 'null', '"text"', '{"email":1}'])('an unreadable user removes both: %s', (text) => {
  localStorage.setItem('authToken', token);
  localStorage.setItem('user', text);
  expect(readStoredSignIn()).toBeNull();
  expect(stored()).toEqual([null, null]);
});

test.each(['token', 'a.b.c', tokenOf({ ...user, role: 'root' as never })])(
  'an unreadable token removes both: %s',
  (text) => {
    storeSignIn(user, text);
    expect(readStoredSignIn()).toBeNull();
    expect(stored()).toEqual([null, null]);
  },
);

test('a sign-in without a token removes an earlier token', () => {
  storeSignIn(user, token);
  storeSignIn(user, null);
  expect(localStorage.getItem('authToken')).toBeNull();
});
