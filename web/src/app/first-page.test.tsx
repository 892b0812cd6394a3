import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, signInBefore, userOf } from '../test/fake-api.ts';
import { pasteInto } from '../test/paste-into.ts';
import { App } from './app.tsx';
import { FirstPage } from './first-page.tsx';
import { isAt } from './routes.ts';
import { createStore } from './store.ts';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function open(address: string) {
  window.history.replaceState(null, '', address);
  render(<App store={createStore()} pages={<FirstPage />} />);
}

test('a visitor signs in before the router is loaded; the requested page follows and gets the focus', async () => {
  server.use(http.post('*/api/auth/login', () => HttpResponse.json({ user: { ...userOf('others'), token: 'fresh' } })));
  open('/');
  await pasteInto(await screen.findByLabelText('Email'), 'candidate@example.com');
  await pasteInto(screen.getByLabelText('Password'), 'secret-secret');
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
  expect(await screen.findByText('Showing 1 interview set')).toBeVisible();
  expect(screen.getByRole('main')).toHaveFocus();
});

test('the link for a forgotten password opens its page without a reload', async () => {
  open('/');
  await userEvent.click(await screen.findByRole('link', { name: 'Forgot your password?' }));
  expect(await screen.findByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  expect(window.location.pathname).toBe('/forgot-password');
});

test('signed-in users get the page immediately', async () => {
  signInBefore('others');
  open('/');
  expect(await screen.findByText('Showing 1 interview set')).toBeVisible();
  await waitFor(() => expect(document.body).toHaveFocus());
});

test.each([
  ['/interviews/:id', '/interviews/a1', true],
  ['/interviews/:id', '/interviews/a1/', true],
  ['/interviews/:id', '/interviews', false],
  ['/interviews/:id', '/interviews/a1/takes/2', false],
  ['/practice/session/:setId?', '/practice/session', true],
  ['/practice/session/:setId?', '/practice/session/a1', true],
  ['/', '/', true],
  ['/', '/users', false],
])('%s is the route of %s: %s', (path, pathname, expected) => {
  expect(isAt(path, pathname)).toBe(expected);
});
