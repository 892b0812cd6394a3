import { afterEach, expect, test } from 'vitest';
import { selectSignIn, selectUser } from '../lib/state/sign-in-slice.ts';
import { clearStoredSignIn, storageKeys, storeSignIn } from '../lib/state/sign-in-storage.ts';
import { signInBefore, userOf } from '../test/fake-api.ts';
import { tokenOf } from '../test/token-of.ts';
import { createStore, followOtherTabs } from './store.ts';

let stop: () => void = () => {};
afterEach(() => stop());

function openTab() {
  const store = createStore();
  stop = followOtherTabs(store);
  return store;
}

/** The event that a tab receives when another one writes. */
const notify = (key: string | null) => window.dispatchEvent(new StorageEvent('storage', { key }));

test('a logout in another tab signs this one out too', () => {
  signInBefore('others');
  const store = openTab();
  clearStoredSignIn();
  notify(storageKeys.token);
  expect(selectSignIn(store.getState()).status).toBe('unauthenticated');
});

test('a login in another tab signs this one in, and keeps what was typed', () => {
  const store = openTab();
  const fresh = tokenOf(userOf('admin'), 'fresh');
  storeSignIn(userOf('admin'), fresh);
  notify(storageKeys.user);
  expect(selectUser(store.getState())).toBeNull();
  notify(storageKeys.token);
  expect(selectUser(store.getState())).toEqual(userOf('admin'));
  expect(localStorage.getItem(storageKeys.token)).toBe(fresh);
});

test('clearing the storage signs the user out', () => {
  signInBefore('others');
  const store = openTab();
  localStorage.clear();
  notify(null);
  expect(selectSignIn(store.getState()).status).toBe('unauthenticated');
});

test('other stored keys change nothing', () => {
  signInBefore('others');
  const store = openTab();
  const before = store.getState();
  notify('mantine-color-scheme-value');
  expect(store.getState()).toBe(before);
});
