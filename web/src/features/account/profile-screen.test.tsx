import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { readStoredSignIn } from '../../lib/state/sign-in-storage.ts';
import { server, signInBefore, userOf } from '../../test/fake-api.ts';
import { pasteInto } from '../../test/paste-into.ts';
import { renderApp } from '../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const serveMe = (overrides: object = {}) =>
  server.use(
    http.get('*/api/auth/me', () => HttpResponse.json({ user: { ...userOf('dev'), ...overrides }, sendsMail: false })),
  );
/** The value next to a label, with Intl's narrow spaces replaced by plain ones. */
async function fact(name: string) {
  const row = (await screen.findByText(name)).closest('div') as HTMLElement;
  return within(row).getAllByRole('definition')[0]?.textContent?.replace(/\s/gu, ' ');
}

test('shows email, role, technologies by name, plan, and when the account was created and last used', async () => {
  serveMe({ technologies: ['react', 'cobol'], plan: 'premium', lastLogin: '2026-11-19T08:05:00.000Z' });
  signInBefore('dev');
  renderApp('/profile');
  expect(await screen.findByText('Nov 19, 2026, 8:05 AM')).toHaveAttribute('title', expect.stringContaining('8:05:00'));
  expect(await screen.findByText('React')).toBeVisible();
  expect(await fact('Email')).toBe('dev@example.com');
  expect(await fact('Role')).toBe('Developer');
  expect(await fact('Technologies')).toBe('Reactcobol');
  expect(await fact('Plan')).toBe('Premium Plan');
  expect(await fact('Account created')).toBe('Nov 1, 2026, 12:00 AM');
});

test('shows None without technologies and Never without a login', async () => {
  serveMe();
  signInBefore('dev', { technologies: ['react'] });
  renderApp('/profile');
  await waitFor(async () => expect(await fact('Technologies')).toBe('None'));
  // The other screens read the stored user.
  expect(readStoredSignIn()?.user.technologies).toEqual([]);
  expect(await fact('Last login')).toBe('Never');
  // Without a mail server there are no email settings.
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('technologies change in a dialog and stay on the profile; Cancel changes nothing', async () => {
  const sent: unknown[] = [];
  serveMe({ technologies: ['react'] });
  server.use(
    http.put('*/api/users/:id', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ user: { ...userOf('dev'), technologies: ['go'] } });
    }),
    http.get('*/api/technologies', () =>
      HttpResponse.json({
        technologies: ['React', 'Go'].map((name) => ({ id: name, name, slug: name.toLowerCase() })),
      }),
    ),
  );
  signInBefore('dev');
  renderApp('/profile');
  const user = userEvent.setup();
  const change = () => user.click(screen.getByRole('button', { name: 'Change technologies' }));
  await screen.findByRole('button', { name: 'Change technologies' });
  await change();
  await user.click(screen.getByRole('checkbox', { name: 'Go' }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(sent).toEqual([]);
  await change();
  await user.click(screen.getByRole('checkbox', { name: 'Go' }));
  await user.click(screen.getByRole('checkbox', { name: 'React' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual([{ technologies: ['go'] }]));
  expect(await screen.findByText('Technologies saved')).toBeVisible();
  expect(window.location.pathname).toBe('/profile');
});

test('invalid or missing dates show fallback texts', async () => {
  serveMe({ createdAt: 'yesterday', lastLogin: 'no time' });
  signInBefore('dev');
  renderApp('/profile');
  expect(await screen.findAllByText('Invalid Date')).toHaveLength(2);
});

test('emails about reviews are off by default, and can be turned on and off', async () => {
  let reviewMail: boolean | undefined;
  server.use(
    http.get('*/api/auth/me', () => HttpResponse.json({ user: { ...userOf('others'), reviewMail }, sendsMail: true })),
    http.put('*/api/auth/mails', async ({ request }) => {
      reviewMail = ((await request.json()) as { reviewMail: boolean }).reviewMail || undefined;
      return HttpResponse.json({ user: { ...userOf('others'), reviewMail } });
    }),
  );
  signInBefore('others');
  renderApp('/profile');
  const choice = await screen.findByRole('checkbox', { name: 'Email me when a reviewer scores my answer' });
  expect(choice).not.toBeChecked();
  await userEvent.click(choice);
  expect(await screen.findByText('Email notifications are on')).toBeVisible();
  expect(choice).toBeChecked();
  expect(reviewMail).toBe(true);
  choice.focus();
  await userEvent.keyboard(' ');
  expect(await screen.findByText('Email notifications are off')).toBeVisible();
  expect(choice).not.toBeChecked();

  server.use(http.put('*/api/auth/mails', () => HttpResponse.json({}, { status: 503 })));
  await userEvent.click(choice);
  expect(await screen.findByText('Failed to update user')).toBeVisible();
  expect(choice).not.toBeChecked();
});

test('coaches can turn on emails about answers waiting for their review; members are not offered this', async () => {
  const name = 'Email me when an answer is waiting for a review';
  server.use(
    http.get('*/api/auth/me', () => HttpResponse.json({ user: userOf('others'), sendsMail: true })),
    http.get('*/api/groups', () => HttpResponse.json({ groups: [{ id: 'a'.repeat(24), name: 'A', role: 'coach' }] })),
  );
  signInBefore('others');
  const { unmount } = renderApp('/profile');
  expect(await screen.findByRole('checkbox', { name })).not.toBeChecked();
  unmount();
  let asked = 0;
  server.use(
    http.get('*/api/groups', () => {
      asked += 1;
      return HttpResponse.json({ groups: [{ id: 'a'.repeat(24), name: 'A', role: 'member' }] });
    }),
  );
  renderApp('/profile');
  expect(await screen.findByRole('checkbox', { name: 'Email me about assigned work' })).toBeVisible();
  await waitFor(() => expect(asked).toBeGreaterThan(0));
  expect(screen.queryByRole('checkbox', { name })).toBeNull();
});

test('the data is downloaded from the URL that the server returns', async () => {
  serveMe();
  server.use(http.post('*/api/recordings/export', () => HttpResponse.json({ url: '/api/recordings/export/1' })));
  const followed: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    followed.push(this.getAttribute('href') ?? '');
  });
  signInBefore('dev');
  renderApp('/profile');
  await userEvent.click(await screen.findByRole('button', { name: 'Download my data' }));
  await waitFor(() => expect(followed).toEqual(['/api/recordings/export/1']));
  click.mockRestore();
});

test('deleting the account asks for the password, shows an error, and signs out', async () => {
  serveMe();
  const sent: unknown[] = [];
  server.use(
    http.post('*/api/auth/delete-account', async ({ request }) => {
      const body = (await request.json()) as { password?: string };
      sent.push(body);
      return body.password === 'right-password'
        ? new HttpResponse(null, { status: 204 })
        : HttpResponse.json({ message: 'The password is incorrect' }, { status: 400 });
    }),
  );
  signInBefore('dev');
  renderApp('/profile');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete account' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Delete account' }));
  expect(await dialog.findByText('The password is incorrect')).toBeVisible();
  await pasteInto(dialog.getByLabelText('Your password'), 'right-password');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete account' }));
  expect(await screen.findByRole('heading', { name: 'Interview Platform Login' })).toBeVisible();
  expect(sent).toEqual([{}, { password: 'right-password' }]);
});

test('Change Password leads to its screen, and Go Back returns', async () => {
  serveMe();
  signInBefore('dev');
  renderApp('/profile');
  await userEvent.click(await screen.findByRole('link', { name: 'Change Password' }));
  expect(await screen.findByRole('heading', { name: 'Change Password' })).toBeVisible();
  await userEvent.click(screen.getByRole('link', { name: 'Cancel' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Go Back' }));
  expect(await screen.findByRole('heading', { name: 'Change Password' })).toBeVisible();
});

test('when opened directly, Go Back leads home', async () => {
  serveMe();
  signInBefore('dev');
  renderApp('/profile');
  await userEvent.click(await screen.findByRole('button', { name: 'Go Back' }));
  expect(await screen.findByRole('heading', { name: 'Interview Sets' })).toBeVisible();
});

test('technologies whose names could not be loaded show as slugs, with a message and a way to retry', async () => {
  serveMe({ technologies: ['react'] });
  server.use(http.get('*/api/technologies', () => new HttpResponse(null, { status: 503 }), { once: true }));
  signInBefore('dev');
  renderApp('/profile');
  expect(await screen.findByText('Failed to fetch technologies')).toBeVisible();
  expect(await screen.findByText('react')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('React')).toBeVisible();
  expect(screen.queryByText('Failed to fetch technologies')).toBeNull();
});

test('if the server cannot be reached, known data stays, with a message and a way to retry', async () => {
  server.use(http.get('*/api/auth/me', () => new HttpResponse(null, { status: 503 }), { once: true }));
  serveMe({ technologies: ['react'] });
  server.use(http.get('*/api/auth/me', () => new HttpResponse(null, { status: 503 }), { once: true }));
  signInBefore('dev');
  renderApp('/profile');
  expect(await screen.findByText('Failed to fetch data')).toBeVisible();
  expect(await fact('Email')).toBe('dev@example.com');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('React')).toBeVisible();
  expect(screen.queryByText('Failed to fetch data')).toBeNull();
});

test('emails about assigned work are on by default, and can be turned off', async () => {
  let assignmentMail: boolean | undefined;
  const me = () => ({ ...userOf('others'), ...(assignmentMail === false ? { assignmentMail } : {}) });
  server.use(
    http.get('*/api/auth/me', () => HttpResponse.json({ user: me(), sendsMail: true })),
    http.put('*/api/auth/mails', async ({ request }) => {
      assignmentMail = ((await request.json()) as { assignmentMail: boolean }).assignmentMail;
      return HttpResponse.json({ user: me() });
    }),
  );
  signInBefore('others');
  renderApp('/profile');
  const choice = await screen.findByRole('checkbox', { name: 'Email me about assigned work' });
  expect(choice).toBeChecked();
  await userEvent.click(choice);
  expect(await screen.findByText('Email notifications are off')).toBeVisible();
  expect(choice).not.toBeChecked();
  await userEvent.click(choice);
  expect(await screen.findByText('Email notifications are on')).toBeVisible();
  expect(choice).toBeChecked();
});

test('a calendar address is shown once, can be replaced, and removed', async () => {
  let createdAt: string | null = null;
  let count = 0;
  server.use(
    http.get('*/api/calendar', () => HttpResponse.json({ createdAt })),
    http.post('*/api/calendar', () => {
      count += 1;
      createdAt = '2026-11-20T10:00:00.000Z';
      return HttpResponse.json({ createdAt, url: `https://prep.example.com/api/calendar/feed.ics?token=${count}` });
    }),
    http.delete('*/api/calendar', () => {
      createdAt = null;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  serveMe({});
  signInBefore('others');
  renderApp('/profile');
  await userEvent.click(await screen.findByRole('button', { name: 'Create an address' }));
  expect(await screen.findByLabelText('Calendar address')).toHaveValue(
    'https://prep.example.com/api/calendar/feed.ics?token=1',
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Replace the address' }));
  await waitFor(() =>
    expect((screen.getByLabelText('Calendar address') as HTMLInputElement).value).toContain('token=2'),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Remove it' }));
  expect(await screen.findByRole('button', { name: 'Create an address' })).toBeVisible();
  expect(screen.queryByLabelText('Calendar address')).toBeNull();
});
