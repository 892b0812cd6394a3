import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { keepAttempt } from '../../lib/provider-attempt.ts';
import { server, settings, signInBefore, userOf } from '../../test/fake-api.ts';
import { pasteInto } from '../../test/paste-into.ts';
import { renderApp } from '../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  server.use(http.get('*/api/settings', () => HttpResponse.json({ ...settings, oidc: { name: 'Acme' } })));
});
afterEach(() => {
  server.resetHandlers();
  sessionStorage.clear();
  vi.restoreAllMocks();
});
afterAll(() => server.close());

const callback = '/sign-in/callback?code=abc&state=def&iss=https%3A%2F%2Flogin.example.com&session_state=1';
const sent: unknown[] = [];

/** The server's response to the provider's callback. */
function finishAnswers(status: number, body: object, path = 'oidc/finish'): void {
  sent.length = 0;
  server.use(
    http.post(`*/api/auth/${path}`, async ({ request }) => {
      sent.push(await request.json());
      return status === 204 ? new HttpResponse(null, { status }) : HttpResponse.json(body, { status });
    }),
  );
}
const keep = (purpose: 'sign-in' | 'link', returnTo: string) =>
  keepAttempt({ attempt: 'secret', purpose, name: 'Acme', returnTo });

test('the button leads to the provider, and a provider that is down is reported below it', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  const message = 'Acme cannot be reached right now. Please try again.';
  server.use(http.post('*/api/auth/oidc', () => HttpResponse.json({ message, code: 'unavailable' }, { status: 503 })));
  renderApp('/practice');
  const button = await screen.findByRole('button', { name: 'Sign in with Acme' });
  // Google sign-in isn't set up; its button would be a second one that does nothing.
  expect(screen.queryByRole('button', { name: 'Sign in with Google' })).toBeNull();
  await userEvent.click(button);
  expect(await screen.findByRole('alert')).toHaveTextContent(message);

  const url = `https://login.example.com/auth?redirect_uri=${encodeURIComponent(`${window.location.origin}/sign-in/callback`)}`;
  server.use(http.post('*/api/auth/oidc', () => HttpResponse.json({ url, attempt: 'secret' })));
  await userEvent.click(button);
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(url));
  expect(screen.queryByRole('alert')).toBeNull();
});

test("back from the provider, the response is sent once with the window's secret, and the requested page follows", async () => {
  finishAnswers(200, { user: { ...userOf('others'), token: 'fresh' } });
  keep('sign-in', '/practice');
  const { router } = renderApp(callback);
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/practice'));
  expect(sent).toEqual([{ attempt: 'secret', code: 'abc', state: 'def', iss: 'https://login.example.com' }]);
  expect(sessionStorage.length).toBe(0);
  expect(window.location.href).not.toContain('abc');
});

test('the second factor is required before the page follows', async () => {
  finishAnswers(200, { secondFactor: { challenge: 'c', methods: ['totp'] } });
  keep('sign-in', '/practice');
  server.use(
    http.post('*/api/auth/second-factor', () => HttpResponse.json({ user: { ...userOf('others'), token: 'fresh' } })),
  );
  const { router } = renderApp(callback);
  await pasteInto(await screen.findByLabelText('Code'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/practice'));
});

test('an error is shown on the login screen, at the requested page', async () => {
  const message = 'The clocks of this server and of Acme differ. Please tell an admin.';
  finishAnswers(401, { message, code: 'unauthorized' });
  keep('sign-in', '/practice');
  const { router } = renderApp(callback);
  expect(await screen.findByRole('alert')).toHaveTextContent(message);
  expect(screen.getByRole('heading', { level: 1, name: 'Interview Platform Login' })).toBeVisible();
  expect(router.state.location.pathname).toBe('/practice');
});

test('a provider response that this window did not request is not sent', async () => {
  finishAnswers(200, {});
  renderApp(callback);
  expect(await screen.findByRole('alert')).toHaveTextContent('This window has begun no sign-in by a provider.');
  expect(sent).toEqual([]);
});

test('linking continues on the security page, and an error does not sign out', async () => {
  signInBefore('others');
  const security = { hasPassword: true, totp: false, recoveryCodesLeft: 0, secondFactorRequired: false, passkeys: [] };
  const providers = [{ id: 'oidc', name: 'Acme', isLinked: false }];
  server.use(
    http.get('*/api/auth/security', () => HttpResponse.json({ ...security, passkeyHost: 'localhost', providers })),
  );
  finishAnswers(409, { message: 'This Acme account signs in another user.', code: 'conflict' }, 'oidc/link/finish');
  keep('link', '/security');
  renderApp(callback);
  expect(await screen.findByText('This Acme account signs in another user.')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Link Acme' })).toBeVisible();
  expect(sent).toHaveLength(1);
});
