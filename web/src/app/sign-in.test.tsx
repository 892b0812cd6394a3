import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, setOf, signInBefore, userOf } from '../test/fake-api.ts';
import { pasteInto } from '../test/paste-into.ts';
import { renderApp } from '../test/render-app.tsx';
import { tokenOf } from '../test/token-of.ts';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

async function signIn() {
  await pasteInto(await screen.findByLabelText('Email'), 'candidate@example.com');
  await pasteInto(screen.getByLabelText('Password'), 'secret-secret');
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
}

const acceptLogin = http.post('*/api/auth/login', async ({ request }) => {
  const { password } = (await request.json()) as { password: string };
  return password === 'secret-secret'
    ? HttpResponse.json({ user: { ...userOf('others'), token: 'fresh' } })
    : HttpResponse.json({ message: 'Invalid credentials', code: 'invalid_credentials' }, { status: 401 });
});

test('a visitor sees the login screen at any path, and stays at that path after signing in', async () => {
  server.use(acceptLogin);
  renderApp('/nowhere');
  expect(await screen.findByRole('heading', { name: 'Interview Platform Login' })).toBeVisible();
  expect(screen.queryByRole('navigation')).toBeNull();
  await signIn();
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeVisible();
  expect(screen.getByRole('main')).toHaveFocus();
  expect(window.location.pathname).toBe('/nowhere');
  expect(localStorage.getItem('authToken')).toBe('fresh');
  expect(JSON.parse(localStorage.getItem('user') ?? '{}').id).toBe(userOf('others').id);
  expect(localStorage.getItem('user')).not.toContain('@');
});

test('signing in at the start page leads to /', async () => {
  server.use(acceptLogin);
  renderApp('/');
  await signIn();
  expect(await screen.findByText('Showing 1 interview set')).toBeVisible();
  expect(window.location.pathname).toBe('/');
});

test("an error shows the server's message, and keeps what was typed", async () => {
  server.use(
    http.post('*/api/auth/login', () =>
      HttpResponse.json({ message: 'Too many attempts', code: 'x' }, { status: 429 }),
    ),
  );
  renderApp('/');
  await signIn();
  expect(await screen.findByText('Too many attempts')).toBeVisible();
  expect(screen.getByLabelText('Email')).toHaveValue('candidate@example.com');
});

test('without a message from the server, the fallback is shown', async () => {
  server.use(http.post('*/api/auth/login', () => new HttpResponse('<html>', { status: 502 })));
  renderApp('/');
  await signIn();
  expect(await screen.findByText('Authentication failed')).toBeVisible();
});

test('the button reads Loading... while busy, and a second click does nothing', async () => {
  let calls = 0;
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.use(
    http.post('*/api/auth/login', async () => {
      calls += 1;
      await gate;
      return HttpResponse.json({ user: { ...userOf('others'), token: 'fresh' } });
    }),
  );
  renderApp('/');
  await signIn();
  const button = await screen.findByRole('button', { name: 'Loading...' });
  await userEvent.click(button);
  release();
  await screen.findByText('Showing 1 interview set');
  expect(calls).toBe(1);
});

test('without a Google client id, the button says that it is not set up', async () => {
  renderApp('/');
  expect(await screen.findByText('Google sign-in is not set up on this server.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Sign in with Google' })).toBeDisabled();
});

test('demonstration logins fill the form', async () => {
  const demoLogins = [{ email: 'admin@example.com', password: 'demo-password' }];
  server.use(
    http.get('*/api/settings', () => HttpResponse.json({ googleClientId: null, avatarUrl: null, demoLogins })),
  );
  renderApp('/');
  await userEvent.click(await screen.findByRole('button', { name: 'admin@example.com' }));
  expect(screen.getByLabelText('Email')).toHaveValue('admin@example.com');
  expect(screen.getByLabelText('Password')).toHaveValue('demo-password');
});

test('calls carry the token; a rejected token signs the user out with a message', async () => {
  const tokens: (string | null)[] = [];
  server.use(
    http.get('*/api/interviews/sets', ({ request }) => {
      tokens.push(request.headers.get('Authorization'));
      return HttpResponse.json({ message: 'Your token has expired', code: 'unauthorized' }, { status: 401 });
    }),
  );
  signInBefore('others');
  renderApp('/');
  expect(await screen.findByText('You have been signed out. Please sign in again.')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Interview Platform Login' })).toBeVisible();
  expect(tokens).toEqual([`Bearer ${tokenOf(userOf('others'))}`]);
  expect(localStorage.getItem('authToken')).toBeNull();
  expect(localStorage.getItem('user')).toBeNull();
  server.use(
    acceptLogin,
    http.get('*/api/interviews/sets', () => HttpResponse.json({ interviewSets: [setOf(1)] })),
  );
  await signIn();
  expect(await screen.findByText('Showing 1 interview set')).toBeVisible();
  await waitFor(() => expect(screen.queryByText('You have been signed out. Please sign in again.')).toBeNull());
});

async function chooseLogout() {
  await userEvent.click(screen.getByRole('button', { name: /Account menu for/ }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Logout' }));
}

test('logout revokes the token, forgets the user and drops all fetched data', async () => {
  let token: string | null = null;
  server.use(
    http.post('*/api/auth/logout', ({ request }) => {
      token = request.headers.get('Authorization');
      return new HttpResponse(null, { status: 204 });
    }),
  );
  signInBefore('others');
  const { store } = renderApp('/');
  await screen.findByText('Showing 1 interview set');
  await chooseLogout();
  expect(await screen.findByRole('heading', { name: 'Interview Platform Login' })).toBeVisible();
  expect(screen.getByRole('main')).toHaveFocus();
  expect(token).toBe(`Bearer ${tokenOf(userOf('others'))}`);
  expect(localStorage.length).toBe(0);
  await waitFor(() => expect(JSON.stringify(store.getState().api.queries)).not.toContain('Set 1'));
});

test('logout does not wait for a server that never answers', async () => {
  signInBefore('dev');
  server.use(http.post('*/api/auth/logout', () => new Promise<never>(() => {})));
  renderApp('/');
  await chooseLogout();
  expect(await screen.findByRole('heading', { name: 'Interview Platform Login' })).toBeVisible();
  expect(localStorage.getItem('authToken')).toBeNull();
});

test('logout with unsaved changes asks first: Stay stays signed in, Leave signs out, and Back does not sign the next user out', async () => {
  server.use(
    acceptLogin,
    http.post('*/api/auth/logout', () => new HttpResponse(null, { status: 204 })),
    http.get('*/api/practice', () => HttpResponse.json({ practiceSets: [] })),
  );
  signInBefore('admin');
  const { router } = renderApp('/technologies');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Technology name' }), 'Vue');
  await chooseLogout();
  await userEvent.click(await screen.findByRole('button', { name: 'Stay' }));
  expect(window.location.pathname).toBe('/technologies');
  expect(localStorage.getItem('authToken')).toBe(tokenOf(userOf('admin')));

  await chooseLogout();
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  expect(await screen.findByRole('heading', { name: 'Interview Platform Login' })).toBeVisible();
  expect(localStorage.length).toBe(0);

  await signIn();
  await router.navigate('/nowhere');
  await screen.findByRole('heading', { name: 'Page not found' });
  await router.navigate(-1);
  expect(await screen.findByText('Showing 1 interview set')).toBeVisible();
  expect(router.state.location.state).toBeNull();
  expect(localStorage.getItem('authToken')).toBe('fresh');
});
