import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { server, settings, userOf } from '../../test/fake-api.ts';
import { renderApp } from '../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  server.use(http.get('*/api/settings', () => HttpResponse.json({ ...settings, googleClientId: 'client-id' })));
});
afterEach(() => {
  server.resetHandlers();
  Reflect.deleteProperty(window, 'google');
});
afterAll(() => server.close());

interface TokenRequest {
  client_id: string;
  scope: string;
  callback: (answer: { access_token?: string }) => void;
  error_callback: (error: { type: string }) => void;
}

/** Replaces Google's window: answers each request with the given response, and records the requests. */
function googleAnswers(answer: (request: TokenRequest) => void): TokenRequest[] {
  const requests: TokenRequest[] = [];
  const initTokenClient = (request: TokenRequest) => ({
    requestAccessToken: () => {
      requests.push(request);
      answer(request);
    },
  });
  Object.assign(window, { google: { accounts: { oauth2: { initTokenClient } } } });
  return requests;
}

async function press() {
  const button = await screen.findByRole('button', { name: 'Sign in with Google' });
  await waitFor(() => expect(button).toBeEnabled());
  await userEvent.click(button);
}

test('the identity script is loaded at the first click, not before; a failure shows a message', async () => {
  const asked: string[] = [];
  const watch = new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof HTMLScriptElement) asked.push(node.src);
    }
  });
  watch.observe(document.head, { childList: true });
  renderApp('/');
  await screen.findByRole('button', { name: 'Sign in with Google' });
  expect(asked).toEqual([]);
  await press();
  expect(await screen.findByText('Google sign in failed')).toBeVisible();
  expect(asked).toEqual(['https://accounts.google.com/gsi/client']);
  watch.disconnect();
});

test('asks for openid, profile and email, and signs in with the access token', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post('*/api/auth/google', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ user: { ...userOf('others'), token: 'fresh' } });
    }),
  );
  const requests = googleAnswers(({ callback }) => callback({ access_token: 'from google' }));
  renderApp('/');
  await press();
  expect(await screen.findByText('Showing 1 interview set')).toBeVisible();
  expect(requests).toMatchObject([{ client_id: 'client-id', scope: 'openid profile email' }]);
  expect(sent).toEqual([{ accessToken: 'from google' }]);
});

test('closing the sign-in window shows a message', async () => {
  googleAnswers(({ error_callback }) => error_callback({ type: 'popup_closed' }));
  renderApp('/');
  await press();
  expect(await screen.findByText('Google sign in failed')).toBeVisible();
});

test.each([
  [{ message: 'This account is not allowed here', code: 'forbidden' }, 'This account is not allowed here'],
  [null, 'Google authentication failed'],
])('an error from the server shows its reason under the button: %j', async (body, reason) => {
  server.use(http.post('*/api/auth/google', () => HttpResponse.json(body, { status: 403 })));
  googleAnswers(({ callback }) => callback({ access_token: 'from google' }));
  renderApp('/');
  await press();
  expect(await screen.findByText('Failed to sign in with Google')).toBeVisible();
  expect(within(screen.getByRole('main')).getByText(reason)).toBeVisible();
  googleAnswers(({ error_callback }) => error_callback({ type: 'popup_closed' }));
  await press();
  expect(await screen.findByText('Google sign in failed')).toBeVisible();
  expect(screen.queryByText(reason)).toBeNull();
});

test('a response without a user shows a failed sign-in with Google', async () => {
  server.use(http.post('*/api/auth/google', () => HttpResponse.json({})));
  googleAnswers(({ callback }) => callback({ access_token: 'from google' }));
  renderApp('/');
  await press();
  expect(await screen.findByText('Failed to sign in with Google')).toBeVisible();
  expect(localStorage.length).toBe(0);
});
