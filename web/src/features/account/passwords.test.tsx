import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { server, signInBefore } from '../../test/fake-api.ts';
import { pasteInto } from '../../test/paste-into.ts';
import { renderApp } from '../../test/render-app.tsx';

let sent: unknown[];
/** Serves a POST and records the request bodies. */
const answer = (path: string, status: number, body: object | null) =>
  server.use(
    http.post(`*/api/auth/${path}`, async ({ request }) => {
      sent.push(await request.json());
      return body === null ? new HttpResponse('<html>', { status }) : HttpResponse.json(body, { status });
    }),
  );

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  sent = [];
});
afterEach(() => {
  vi.useRealTimers();
  server.resetHandlers();
});
afterAll(() => server.close());

const fillIn = async (label: string, text: string) => pasteInto(await screen.findByLabelText(label), text);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const sentText = 'If an account exists, a reset link has been sent to your email.';

describe('/forgot-password', () => {
  test('an email is required', async () => {
    renderApp('/forgot-password');
    await press('Send Reset Link');
    expect(screen.getByText('Please enter your email.')).toBeVisible();
    expect(screen.getByLabelText('Email')).toHaveFocus();
    await fillIn('Email', '   ');
    await press('Send Reset Link');
    expect(screen.getByText('Please enter your email.')).toBeVisible();
    expect(sent).toEqual([]);
  });

  test('the confirmation does not reveal whether the email is known, and another email can be entered', async () => {
    answer('forgot-password', 200, { message: sentText });
    renderApp('/forgot-password');
    expect(document.title).toBe('Forgot password · Interview Preparation Platform');
    await fillIn('Email', ' candidate@example.com ');
    await press('Send Reset Link');
    expect(await screen.findByText(sentText)).toBeVisible();
    expect(sent).toEqual([{ email: 'candidate@example.com' }]);
    expect(screen.getByRole('heading', { name: 'Check your email' })).toHaveFocus();
    await press('Use another email');
    expect(screen.getByRole('heading', { name: 'Forgot your password?' })).toHaveFocus();
    expect(screen.getByLabelText('Email')).toHaveValue('candidate@example.com');
  });

  test.each([
    [{ message: 'Too many attempts. Please try again later.' }, 'Too many attempts. Please try again later.'],
    [null, 'Failed to request password reset'],
  ])('an error shows its reason, and keeps what was typed: %j', async (body, reason) => {
    answer('forgot-password', 503, body);
    renderApp('/forgot-password');
    await fillIn('Email', 'candidate@example.com');
    await press('Send Reset Link');
    expect(await screen.findByText('Failed to send password reset email.')).toBeVisible();
    expect(screen.getByText(reason)).toBeVisible();
    expect(screen.getByLabelText('Email')).toHaveValue('candidate@example.com');
  });

  test('a double click sends one request', async () => {
    answer('forgot-password', 200, { message: sentText });
    renderApp('/forgot-password');
    await fillIn('Email', 'candidate@example.com');
    await userEvent.dblClick(screen.getByRole('button', { name: 'Send Reset Link' }));
    await screen.findByText(sentText);
    expect(sent).toHaveLength(1);
  });
});

describe('/reset-password', () => {
  test.each(['/reset-password', '/reset-password?token=', '/reset-password#token=%20'])(
    'the token is required: %s',
    async (address) => {
      renderApp(address);
      expect(await screen.findByText('Reset token is missing. Please use the link sent to your email.')).toBeVisible();
      expect(screen.getByRole('link', { name: 'Request a new link' })).toHaveAttribute('href', '/forgot-password');
      expect(screen.queryByRole('button', { name: 'Reset Password' })).toBeNull();
    },
  );

  test.each([
    ['short', 'short', 'Password must be at least 8 characters long.'],
    ['p'.repeat(129), 'p'.repeat(129), 'Password must be at most 128 characters long.'],
    ['long enough', 'long enouhg', 'Passwords do not match.'],
  ])('%.12s and %.12s: %s', async (password, repeated, message) => {
    renderApp('/reset-password?token=abc');
    await fillIn('New Password', password);
    await fillIn('Confirm New Password', repeated);
    await press('Reset Password');
    expect(screen.getByText(message)).toBeVisible();
    expect(sent).toEqual([]);
  });

  test('an expired link is reported on opening', async () => {
    answer('reset-password/check', 400, {
      message: 'This reset link has expired. Request a new link.',
    });
    renderApp('/reset-password#token=old');
    expect(await screen.findByText(/^This reset link has expired/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Request a new link' })).toHaveAttribute('href', '/forgot-password');
    expect(screen.queryByRole('button', { name: 'Reset Password' })).toBeNull();
  });

  test.each([
    '/reset-password#token=a%2Bb',
    // As in links of earlier releases, and in the specification.
    '/reset-password?token=a%2Bb',
  ])('sends token and password, then leads to the login: %s', async (address) => {
    answer('reset-password', 200, { message: 'Your password has been reset.' });
    renderApp(address);
    await fillIn('New Password', '8letters');
    await fillIn('Confirm New Password', '8letters');
    await press('Reset Password');
    expect(await screen.findByText('Your password has been reset.')).toBeVisible();
    expect(sent).toEqual([{ token: 'a+b', password: '8letters' }]);
    expect(screen.getByRole('heading', { name: 'Password changed' })).toHaveFocus();
    await userEvent.click(screen.getByRole('link', { name: 'Back to login' }));
    expect(await screen.findByRole('heading', { name: 'Interview Platform Login' })).toBeVisible();
  });

  test('afterward the page lists what else gives access to the account, and one button removes it all', async () => {
    const at = '2026-11-20T10:15:30.000Z';
    const passkeys = [{ id: 'key', isSynced: false, createdAt: at, lastUsedAt: null }];
    answer('reset-password', 200, {
      message: 'Your password has been reset.',
      ticket: 'the-ticket',
      access: { passkeys, keepsPasskeys: false, providers: ['Google'] },
      endedSignIns: [{ browser: 'Firefox', system: 'Windows', lastUsedAt: at }],
    });
    const removals: unknown[] = [];
    server.use(
      http.post('*/api/shares/after-reset', async ({ request }) => {
        expect(await request.json()).toEqual({ ticket: 'the-ticket' });
        return HttpResponse.json({ links: [{ title: 'React hooks', role: 'read', createdAt: at, expiresAt: at }] });
      }),
      http.post('*/api/auth/reset-password/remove-access', async ({ request }) => {
        removals.push(await request.json());
        return HttpResponse.json({ passkeys, keepsPasskeys: true, providers: [] });
      }),
    );
    renderApp('/reset-password#token=abc');
    await fillIn('New Password', '8letters');
    await fillIn('Confirm New Password', '8letters');
    await press('Reset Password');
    const ended = within(await screen.findByRole('region', { name: 'Signed out' }));
    expect(ended.getByRole('listitem')).toHaveTextContent(/^Firefox on Windows, last used/);
    await screen.findByText(/React hooks/);
    const left = within(screen.getByRole('region', { name: 'Still has access' })).getAllByRole('listitem');
    expect(left.map(({ textContent }) => textContent?.replace(/(added|created) .*/, '$1'))).toEqual([
      'Passkey, added',
      'Sign-in with Google',
      'Share link to “React hooks” (view), created',
    ]);
    await press('Remove all other access');
    await press('Remove all');
    expect(await screen.findByText('All other access was removed.')).toBeVisible();
    expect(removals).toEqual([{ ticket: 'the-ticket' }]);
    expect(screen.getByText(/^Your passkeys still work: your role needs one/)).toBeVisible();
    expect(screen.queryByText(/React hooks/)).toBeNull();
  });

  test.each([
    [{ message: 'This reset link is not valid.' }, 'This reset link is not valid.'],
    [null, 'Failed to reset password'],
  ])('an error shows its reason and a way to get a new link: %j', async (body, reason) => {
    answer('reset-password', 400, body);
    renderApp('/reset-password?token=used');
    await fillIn('New Password', 'long enough');
    await fillIn('Confirm New Password', 'long enough');
    await press('Reset Password');
    expect(await screen.findByText('Failed to reset password. Please try again.')).toBeVisible();
    expect(screen.getByText(reason)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Request a new link' })).toBeVisible();
    expect(screen.getByLabelText('New Password')).toHaveValue('long enough');
  });
});

describe('/change-password', () => {
  const fill = async (current: string, password: string, repeated: string) => {
    if (current) await fillIn('Current Password', current);
    if (password) await fillIn('New Password', password);
    if (repeated) await fillIn('Confirm New Password', repeated);
    await press('Change Password');
  };

  test.each([
    ['', 'long enough', 'long enough', 'Please enter your current password.'],
    ['current', 'short', 'short', 'Password must be at least 8 characters long.'],
    ['current', 'long enough', 'other', 'New passwords do not match.'],
  ])('%s, %s, %s: %s', async (current, password, repeated, message) => {
    signInBefore('others');
    renderApp('/change-password');
    await fill(current, password, repeated);
    expect(screen.getByText(message)).toBeVisible();
    expect(document.activeElement).toHaveAttribute('aria-invalid', 'true');
    expect(sent).toEqual([]);
  });

  test('the user stays signed in with the new token, and is taken to the start page after 1.5 s', async () => {
    answer('change-password', 200, { message: 'changed', token: 'fresh' });
    signInBefore('others');
    renderApp('/change-password');
    await screen.findByLabelText('Current Password');
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 1 });
    const user = userEvent.setup({ advanceTimers: (ms) => void vi.advanceTimersByTime(ms) });
    await user.type(screen.getByLabelText('Current Password'), 'current');
    await user.type(screen.getByLabelText('New Password'), 'long enough');
    await user.type(screen.getByLabelText('Confirm New Password'), 'long enough');
    await user.click(screen.getByRole('button', { name: 'Change Password' }));
    expect((await screen.findAllByText('Password changed successfully')).length).toBeGreaterThan(0);
    expect(sent).toEqual([{ currentPassword: 'current', newPassword: 'long enough' }]);
    expect(localStorage.getItem('authToken')).toBe('fresh');
    expect(window.location.pathname).toBe('/change-password');
    act(() => void vi.advanceTimersByTime(1500));
    await waitFor(() => expect(window.location.pathname).toBe('/'));
  });

  test.each([
    [{ message: 'Current password is incorrect' }, 'Current password is incorrect'],
    [null, 'Failed to change password'],
  ])('an error shows its reason, and keeps what was typed: %j', async (body, reason) => {
    answer('change-password', 400, body);
    signInBefore('others');
    renderApp('/change-password');
    await fill('wrong', 'long enough', 'long enough');
    expect(await screen.findByText('Failed to change password. Please check your current password.')).toBeVisible();
    expect(screen.getByText(reason)).toBeVisible();
    expect(screen.getByLabelText('New Password')).toHaveValue('long enough');
    expect(window.location.pathname).toBe('/change-password');
  });

  test('a new password that the server rejects shows the reason at its field, until it is changed', async () => {
    const message = 'This password is too common. Please choose another.';
    answer('change-password', 400, { message, details: [{ path: 'newPassword', message }] });
    signInBefore('others');
    renderApp('/change-password');
    await fill('current', 'password123', 'password123');
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.getByLabelText('New Password')).toHaveFocus();
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Change Password');
    expect(sent).toHaveLength(1);
    await fillIn('New Password', '4');
    expect(screen.queryByText(message)).toBeNull();
  });

  test('a visitor sees the login screen', async () => {
    renderApp('/change-password');
    expect(await screen.findByRole('heading', { name: 'Interview Platform Login' })).toBeVisible();
  });
});
