import type { User } from '@interview-prep/contracts/users';
import { expect, test } from 'vitest';
import { clearStoredSignIn, readStoredSignIn, storeSignIn } from './sign-in-storage.ts';

const user: User = {
  id: 'a',
  email: 'candidate@example.com',
  role: 'others',
  technologies: [],
  plan: 'basic',
  createdAt: '2026-11-01T00:00:00.000Z',
  lastLogin: null,
};

test('user and token together restore the sign-in, under the specified storage keys', () => {
  storeSignIn(user, 'token');
  expect(localStorage.getItem('authToken')).toBe('token');
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(user);
  expect(readStoredSignIn()).toEqual({ user, token: 'token' });
});

test('one without the other restores nothing', () => {
  storeSignIn(user, null);
  expect(readStoredSignIn()).toBeNull();
  clearStoredSignIn();
  localStorage.setItem('authToken', 'token');
  expect(readStoredSignIn()).toBeNull();
});

test.each(['{broken', 'null', '"text"', '{"email":1}'])('an unreadable user removes both: %s', (text) => {
  localStorage.setItem('authToken', 'token');
  localStorage.setItem('user', text);
  expect(readStoredSignIn()).toBeNull();
  expect(localStorage.getItem('user')).toBeNull();
  expect(localStorage.getItem('authToken')).toBeNull();
});

test('a sign-in without a token removes an earlier token', () => {
  storeSignIn(user, 'old');
  storeSignIn(user, null);
  expect(localStorage.getItem('authToken')).toBeNull();
});
