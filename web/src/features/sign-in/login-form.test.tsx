import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server } from '../../test/fake-api.ts';
import { pasteInto } from '../../test/paste-into.ts';
import { renderApp } from '../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

test('the controls in order: third-party sign-in, divider, two fields, button, link to a reset', async () => {
  renderApp('/');
  expect(await screen.findByRole('heading', { level: 1, name: 'Interview Platform Login' })).toBeVisible();
  const parts = [
    screen.getByRole('button', { name: /^Sign in with/ }),
    screen.getByText('Or continue with'),
    screen.getByLabelText('Email'),
    screen.getByLabelText('Password'),
    screen.getByRole('button', { name: 'Sign In' }),
    screen.getByRole('link', { name: 'Forgot your password?' }),
  ];
  for (const [index, part] of parts.slice(1).entries()) {
    expect(parts[index]?.compareDocumentPosition(part)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  }
  expect(parts.at(-1)).toHaveAttribute('href', '/forgot-password');
});

test('both fields are required; the email is plain text that the browser does not check', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post('*/api/auth/login', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ message: 'Invalid credentials', code: 'unauthorized' }, { status: 401 });
    }),
  );
  renderApp('/');
  const email = await screen.findByLabelText('Email');
  expect(email).toBeRequired();
  expect(email).toHaveProperty('type', 'text');
  expect(screen.getByLabelText('Password')).toBeRequired();
  await pasteInto(email, 'no address');
  await userEvent.type(screen.getByLabelText('Password'), 'x');
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
  expect(await screen.findByText('Invalid credentials')).toBeVisible();
  expect(sent).toEqual([{ email: 'no address', password: 'x' }]);
});

test('passwords are masked, can be pasted, and filled in by a password manager', async () => {
  renderApp('/');
  const password = await screen.findByLabelText('Password');
  expect(password).toHaveProperty('type', 'password');
  await userEvent.click(password);
  await userEvent.paste('a long passphrase from elsewhere');
  expect(password).toHaveValue('a long passphrase from elsewhere');
  expect(password).toHaveAttribute('autocomplete', 'current-password');
  expect(screen.getByLabelText('Email')).toHaveAttribute('autocomplete', expect.stringContaining('username'));
});

test('a response without a user shows invalid credentials', async () => {
  server.use(http.post('*/api/auth/login', () => HttpResponse.json({})));
  renderApp('/');
  await pasteInto(await screen.findByLabelText('Email'), 'candidate@example.com');
  await pasteInto(screen.getByLabelText('Password'), 'secret-secret');
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
  expect(await screen.findByText('Invalid credentials')).toBeVisible();
  expect(localStorage.length).toBe(0);
});

test('a failure to load settings shows a message and a way to retry, and says nothing about Google', async () => {
  server.use(http.get('*/api/settings', () => new HttpResponse(null, { status: 502 }), { once: true }));
  renderApp('/');
  expect(await screen.findByText('Failed to fetch data')).toBeVisible();
  expect(screen.queryByText('Google sign-in is not set up on this server.')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Google sign-in is not set up on this server.')).toBeVisible();
  expect(screen.queryByText('Failed to fetch data')).toBeNull();
});
