import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, signInBefore, userOf } from '../../../test/fake-api.ts';
import { refuseEdits, serveCatalog } from '../../../test/fake-catalog.ts';
import { pasteInto } from '../../../test/paste-into.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

async function open() {
  signInBefore('admin');
  const app = renderApp('/users');
  await screen.findByRole('button', { name: 'Add User' });
  return app;
}
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const email = () => screen.getByLabelText('Email');
const password = () => screen.getByLabelText('Password');
const technology = (name: string) => screen.getByRole('checkbox', { name });
const incomplete = 'Please fill in all required fields and select at least one technology';

test('all users are listed; admins cannot delete themselves', async () => {
  serveCatalog();
  await open();
  expect(screen.getByText('2 users')).toBeVisible();
  expect(button('Edit admin@example.com')).toBeVisible();
  expect(button('Delete dev@example.com')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Delete admin@example.com' })).toBeNull();
});

test('a developer is added with the role dev, and the form is cleared', async () => {
  const catalog = serveCatalog();
  await open();
  await pasteInto(email(), 'New@Example.com');
  await pasteInto(password(), 'long enough');
  await userEvent.click(technology('React'));
  await userEvent.dblClick(button('Add User'));
  expect(await screen.findByText('new@example.com')).toBeVisible();
  expect(await screen.findByText(/@.+ was created$/)).toBeVisible();
  expect(catalog.changes).toEqual([
    {
      method: 'POST',
      path: '/api/users',
      body: { email: 'new@example.com', name: '', password: 'long enough', role: 'dev', technologies: ['react'] },
    },
  ]);
  expect(email()).toHaveValue('');
  expect(password()).toHaveValue('');
  expect(technology('React')).not.toBeChecked();
});

test.each([
  ['email', async () => {}],
  [
    'technology',
    async () => {
      await pasteInto(email(), 'new@example.com');
      await pasteInto(password(), 'long enough');
    },
  ],
])('without %s the one message is shown and nothing is sent', async (_missing, fill) => {
  const catalog = serveCatalog();
  await open();
  await fill();
  await userEvent.click(button('Add User'));
  expect(screen.getByText(incomplete)).toBeVisible();
  expect(catalog.changes).toEqual([]);
});

test('without a password the developer is invited: the link is shown once, to be passed on', async () => {
  const catalog = serveCatalog();
  const passwordLink = { isMailed: false, link: 'https://prep.example.com/l', expiresAt: '2026-12-01T10:00:00.000Z' };
  const sent: unknown[] = [];
  server.use(
    http.post('*/api/users', async ({ request }) => {
      sent.push(await request.json());
      const user = { ...catalog.users[1]!, email: 'new@example.com' };
      return HttpResponse.json({ user, passwordLink }, { status: 201 });
    }),
  );
  await open();
  await pasteInto(email(), 'new@example.com');
  await userEvent.click(technology('React'));
  await userEvent.click(button('Add User'));
  expect(await screen.findByText('Pass this link on to new@example.com')).toBeVisible();
  expect(screen.getByText('https://prep.example.com/l')).toBeVisible();
  expect(sent).toEqual([{ email: 'new@example.com', name: '', technologies: ['react'], role: 'dev' }]);
});

test("an admin changes another user's role, and cannot change their own", async () => {
  serveCatalog();
  const sent: unknown[] = [];
  server.use(
    http.put('*/api/users/:id/role', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ message: 'Another admin changed it.' }, { status: 409 });
    }),
  );
  await open();
  await userEvent.click(button('Edit dev@example.com'));
  await userEvent.selectOptions(screen.getByLabelText('Role'), 'Admin');
  await userEvent.click(await screen.findByRole('button', { name: 'Make dev@example.com an admin' }));
  expect(await screen.findByText('Another admin changed it.')).toBeVisible();
  expect(sent).toEqual([{ role: 'admin' }]);
  expect(screen.getByLabelText('Role')).toHaveValue('dev');
  await userEvent.click(button('Edit admin@example.com'));
  expect(screen.queryByLabelText('Role')).toBeNull();
});

test('an admin is added with a name, and needs no technology', async () => {
  const catalog = serveCatalog();
  await open();
  await pasteInto(email(), 'boss@example.com');
  await pasteInto(screen.getByLabelText('Name'), 'Ada');
  await userEvent.selectOptions(screen.getByLabelText('Role'), 'Admin');
  await userEvent.click(button('Add User'));
  expect(await screen.findByText('Ada')).toBeVisible();
  expect(catalog.changes[0]?.body).toEqual({ email: 'boss@example.com', name: 'Ada', role: 'admin', technologies: [] });
});

test('a user is suspended after a confirmation, and the list can show only suspended users', async () => {
  const catalog = serveCatalog();
  const sent: unknown[] = [];
  server.use(
    http.put('*/api/users/:id/suspension', async ({ request, params }) => {
      sent.push(await request.json());
      catalog.users = catalog.users.map((user) =>
        user.id === params.id ? { ...user, suspendedAt: '2026-11-01T10:00:00.000Z' } : user,
      );
      return HttpResponse.json({ user: catalog.users.find(({ id }) => id === params.id) });
    }),
  );
  await open();
  await userEvent.click(button('Edit dev@example.com'));
  await userEvent.click(button('Suspend'));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Suspend' }));
  expect(await screen.findByText(/^\S+@example.com was suspended$/)).toBeVisible();
  expect(sent).toEqual([{ suspended: true }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.selectOptions(screen.getByLabelText('Show'), 'Suspended');
  expect(await screen.findByText('1 user')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Edit admin@example.com' })).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText('Show'), 'Role: Admin');
  expect(await screen.findByRole('button', { name: 'Edit admin@example.com' })).toBeVisible();
});

test.each([
  ['End all sign-ins', 'sign-ins', /was signed out everywhere$/],
  ['Remove second factor', 'second-factor', /^The second factor of \S+ was removed$/],
])('%s requires a confirmation', async (label, part, done) => {
  serveCatalog();
  const sent: unknown[] = [];
  server.use(
    http.delete(`*/api/users/:id/${part}`, ({ params }) => {
      sent.push(params.id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await open();
  await userEvent.click(button('Edit dev@example.com'));
  await userEvent.click(button(label));
  const dialog = within(await screen.findByRole('dialog'));
  expect(sent).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: label }));
  expect(await screen.findByText(done)).toBeVisible();
  expect(sent).toHaveLength(1);
});

test('several users are suspended after one confirmation; failures are named', async () => {
  const third = { ...userOf('others'), id: 'e'.repeat(24), email: 'eve@example.com' };
  serveCatalog({ users: [userOf('admin'), { ...userOf('dev'), id: 'd'.repeat(24) }, third] });
  const sent: unknown[] = [];
  server.use(
    http.put('*/api/users/:id/suspension', ({ params }) => {
      sent.push(params.id);
      if (params.id === third.id) return HttpResponse.json({ message: 'Not now' }, { status: 409 });
      return HttpResponse.json({ user: userOf('dev') });
    }),
  );
  await open();
  expect(screen.queryByLabelText('Select admin@example.com')).toBeNull();
  await userEvent.click(screen.getByLabelText('Select dev@example.com'));
  await userEvent.click(screen.getByLabelText('Select eve@example.com'));
  await userEvent.click(button('Suspend selected'));
  await userEvent.click(await screen.findByRole('button', { name: 'Suspend 2 users' }));
  expect(await screen.findByText('eve@example.com: Not now')).toBeVisible();
  expect(await screen.findByText('1 user suspended')).toBeVisible();
  expect(sent).toEqual(['d'.repeat(24), third.id]);
});

test('a short password and a malformed email show errors at their fields', async () => {
  serveCatalog();
  await open();
  await userEvent.type(email(), 'new');
  await userEvent.type(password(), 'short');
  await userEvent.click(technology('React'));
  await userEvent.click(button('Add User'));
  expect(screen.getByText('Please enter a valid email address')).toBeVisible();
  expect(screen.getByText('Password must be at least 8 characters long.')).toBeVisible();
  expect(screen.queryByText(incomplete)).toBeNull();
  expect(email()).toHaveFocus();
});

test('a rejected user: the toast and the reason are shown, and what was typed stays', async () => {
  serveCatalog();
  server.use(
    http.post('*/api/users', () =>
      HttpResponse.json({ message: 'User already exists', code: 'conflict' }, { status: 409 }),
    ),
  );
  await open();
  await pasteInto(email(), 'dev@example.com');
  await pasteInto(password(), 'long enough');
  await userEvent.click(technology('React'));
  await userEvent.click(button('Add User'));
  expect(await screen.findByText('Failed to create user')).toBeVisible();
  expect(screen.getByText('User already exists')).toBeVisible();
  expect(email()).toHaveValue('dev@example.com');
  expect(password()).toHaveValue('long enough');
});

test('edit mode: email locked, password hidden, only technologies change; then add mode again', async () => {
  const catalog = serveCatalog();
  await open();
  await pasteInto(email(), 'half typed');
  await userEvent.click(button('Edit dev@example.com'));
  expect(email()).toHaveValue('dev@example.com');
  expect(email()).toBeDisabled();
  expect(screen.queryByLabelText('Password')).toBeNull();
  expect(technology('React')).toBeChecked();
  await userEvent.click(technology('Node.js'));
  await userEvent.click(button('Update User'));
  expect(await screen.findByText(/@.+ was updated$/)).toBeVisible();
  expect(catalog.changes).toEqual([
    { method: 'PUT', path: `/api/users/${'d'.repeat(24)}`, body: { technologies: ['react', 'node-js'] } },
  ]);
  expect(button('Add User')).toBeVisible();
  expect(button('Edit dev@example.com')).toHaveFocus();
  expect(email()).toHaveValue('half typed');
  expect(await screen.findByText('React, Node.js')).toBeVisible();
});

test('saving without a technology is rejected; editing another user asks before unsaved changes are lost', async () => {
  const catalog = serveCatalog();
  await open();
  await userEvent.click(button('Edit dev@example.com'));
  await userEvent.click(technology('React'));
  await userEvent.click(button('Update User'));
  expect(screen.getByText('Please select at least one technology')).toBeVisible();
  expect(catalog.changes).toEqual([]);
  await userEvent.click(button('Edit admin@example.com'));
  await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(email()).toHaveValue('dev@example.com');
  await userEvent.click(button('Cancel'));
  expect(button('Add User')).toBeVisible();
});

test('deleting asks first', async () => {
  serveCatalog();
  await open();
  await userEvent.click(button('Delete dev@example.com'));
  await userEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete dev@example.com' }),
  );
  expect(await screen.findByText(/@.+ was deleted$/)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('region', { name: 'Users' })).toHaveFocus();
  await waitFor(() => expect(screen.getByText('1 user')).toBeVisible());
});

test('errors while updating and deleting show their messages', async () => {
  serveCatalog();
  server.use(
    http.put('*/api/users/:id', () => new HttpResponse(null, { status: 500 })),
    http.delete('*/api/users/:id', () => new HttpResponse(null, { status: 500 })),
  );
  await open();
  await userEvent.click(button('Edit dev@example.com'));
  await userEvent.click(technology('Node.js'));
  await userEvent.click(button('Update User'));
  expect(await screen.findByText('Failed to update user')).toBeVisible();
  expect(technology('Node.js')).toBeChecked();
  await userEvent.click(button('Delete dev@example.com'));
  await userEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete dev@example.com' }),
  );
  expect(await screen.findByText('Failed to delete user')).toBeVisible();
});

test('a failed load shows a message and can be retried', async () => {
  serveCatalog();
  server.use(http.get('*/api/users', () => new HttpResponse(null, { status: 502 }), { once: true }));
  signInBefore('admin');
  renderApp('/users');
  expect((await screen.findAllByText('Failed to fetch users'))[0]).toBeVisible();
  await userEvent.click(button('Try again'));
  expect(await screen.findByText('dev@example.com')).toBeVisible();
});

test.each([
  ['users and technologies', ['users', 'technologies'], 'Failed to fetch users'],
  ['technologies alone', ['technologies'], 'Failed to fetch technologies'],
])('retrying loads everything that failed: %s', async (_what, failing, message) => {
  serveCatalog();
  for (const path of failing) {
    server.use(http.get(`*/api/${path}`, () => new HttpResponse(null, { status: 502 }), { once: true }));
  }
  signInBefore('admin');
  renderApp('/users');
  expect(await within(await screen.findByRole('main')).findByText(message)).toBeVisible();
  await userEvent.click(button('Try again'));
  expect(await screen.findByText('dev@example.com')).toBeVisible();
  expect(technology('React')).toBeVisible();
});

test('without technologies the form leads to the technologies screen', async () => {
  serveCatalog({ technologies: [] });
  await open();
  expect(screen.getByRole('link', { name: 'Add a technology' })).toHaveAttribute('href', '/technologies');
});

test('leaving with an unsaved selection asks first', async () => {
  serveCatalog();
  const { router } = await open();
  await userEvent.click(button('Edit dev@example.com'));
  await userEvent.click(technology('Node.js'));
  await router.navigate('/');
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  expect(await screen.findByRole('heading', { name: 'Interview Sets' })).toBeVisible();
});

async function chooseCsv(...rows: string[]) {
  const file = new File([rows.join('\n')], 'people.csv', { type: 'text/csv' });
  await userEvent.upload(document.querySelector('input[type=file]') as HTMLInputElement, file);
}
const itemsOf = async (name: string) =>
  within(await screen.findByRole('list', { name }))
    .getAllByRole('listitem')
    .map((item) => item.textContent);

test('a CSV file with errors imports no one; a corrected one is previewed, and imported after a confirmation', async () => {
  const catalog = serveCatalog();
  await open();
  await userEvent.click(button('Import'));
  await screen.findByRole('button', { name: 'Choose a CSV file' });
  await chooseCsv('email,name,role', 'ann@example.com,Ann,owner');
  expect(await itemsOf('Errors in the file')).toEqual(['Row 2, column roleRole must be candidate, developer or admin']);
  await chooseCsv('email,name,role', 'ann@example.com,Ann,admin', 'dev@example.com,,');
  expect(await itemsOf('People in the file')).toEqual([
    'ann@example.comAnn · Admin',
    'dev@example.comCandidateExists already',
  ]);
  expect(screen.getByText('1 user will be added, 1 unchanged. Nothing is imported yet.')).toBeVisible();
  expect(catalog.changes).toEqual([]);
  await userEvent.click(button('Import 1 user'));
  expect(await screen.findByText('1 of 1 user imported')).toBeVisible();
  expect(catalog.changes.map(({ body }) => body)).toEqual([
    { people: [{ email: 'ann@example.com', name: 'Ann', role: 'admin' }], invite: true },
  ]);
  await userEvent.click(within(screen.getByRole('dialog')).getAllByRole('button', { name: 'Close' })[1]!);
  expect(await screen.findByText('3 users')).toBeVisible();
});

test('an interrupted import continues where it stopped', async () => {
  const catalog = serveCatalog();
  await open();
  await userEvent.click(button('Import'));
  await screen.findByRole('button', { name: 'Choose a CSV file' });
  const emails = Array.from({ length: 150 }, (_, row) => `user${row}@example.com`);
  await chooseCsv('email', ...emails);
  let calls = 0;
  server.use(
    http.post('*/api/users/import', () => {
      calls += 1;
      if (calls === 2) return new HttpResponse(null, { status: 500 });
    }),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Import 150 users' }));
  expect(await screen.findByText('Failed to import users')).toBeVisible();
  expect(screen.getByText('100 of 150 users imported')).toBeVisible();
  await userEvent.click(button('Import 50 users'));
  expect(await screen.findByText('150 of 150 users imported')).toBeVisible();
  expect(catalog.users.map(({ email }) => email).slice(2)).toEqual(emails);
});

test('leaving during an import says that it stops', async () => {
  serveCatalog();
  const { router } = await open();
  await userEvent.click(button('Import'));
  await screen.findByRole('button', { name: 'Choose a CSV file' });
  await chooseCsv('email', 'ann@example.com');
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(http.post('*/api/users/import', () => answered));
  await userEvent.click(await screen.findByRole('button', { name: 'Import 1 user' }));
  await screen.findByText('0 of 1 user imported');
  await router.navigate('/');
  expect(await screen.findByText('Stop the import?')).toBeVisible();
  await userEvent.click(button('Stay'));
  answer();
  expect(await screen.findByText('1 of 1 user imported')).toBeVisible();
});

test('a name is changed; on a conflicting role change, the later admin chooses', async () => {
  const catalog = serveCatalog();
  const dev = catalog.users[1]!;
  dev.version = 'v1';
  server.use(
    http.put('*/api/users/:id/name', async ({ request }) => {
      catalog.users = catalog.users.map((user) => (user === dev ? { ...user, name: 'Dee Vee' } : user));
      catalog.changes.push({ method: 'PUT', path: 'name', body: await request.json() });
      return HttpResponse.json({ user: catalog.users[1] });
    }),
    http.put('*/api/users/:id/role', () => HttpResponse.json({ user: catalog.users[1] })),
  );
  await open();
  await userEvent.click(button('Edit dev@example.com'));
  const account = within(screen.getByRole('region', { name: 'Account of dev@example.com' }));
  await pasteInto(account.getByLabelText('Name'), 'Dee Vee');
  await userEvent.click(account.getByRole('button', { name: 'Change name' }));
  expect(await screen.findByText('The name of dev@example.com was changed')).toBeVisible();
  expect(catalog.changes).toEqual([{ method: 'PUT', path: 'name', body: { name: 'Dee Vee' } }]);
  const sent = refuseEdits('*/api/users/:id/role', 'role');
  await userEvent.selectOptions(account.getByLabelText('Role'), 'admin');
  await userEvent.click(await screen.findByRole('button', { name: 'Make dev@example.com an admin' }));
  expect(await screen.findByText(/anna@example.com saved changes on .*: role\./)).toBeVisible();
  await userEvent.click(button('Keep mine'));
  expect(await screen.findByText('dev@example.com now has the role Admin')).toBeVisible();
  expect(sent).toEqual(['"v1"', '"v2"']);
});
