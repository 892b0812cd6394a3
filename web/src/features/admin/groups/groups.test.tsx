import type { GroupDetail } from '@interview-prep/contracts/auth/groups';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, signInBefore, userOf } from '../../../test/fake-api.ts';
import { groupsAt as at, groupOf as fakeGroup, idOf, memberOf } from '../../../test/fake-groups.ts';
import { pasteInto } from '../../../test/paste-into.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const id = idOf('a');
const coach = { userId: 'c'.repeat(24), email: 'coach@example.com', name: 'Charles' };
const groupOf = (changes: Partial<GroupDetail> = {}) =>
  fakeGroup({
    coaches: [coach],
    people: [memberOf(idOf('d'), 'ada@example.com'), { ...coach, role: 'coach', joinedAt: at }],
    memberCount: 1,
    invitations: [{ id: idOf('e'), email: 'alan@example.com', state: 'failed', invitedAt: at, expiresAt: at }],
    ...changes,
  });
const serveGroup = (group: GroupDetail) =>
  server.use(
    http.get('*/api/groups', () => HttpResponse.json({ groups: [group] })),
    http.get('*/api/groups/:id', () => HttpResponse.json({ group })),
  );

test('members of a group have My Groups in the navigation', async () => {
  serveGroup(groupOf({ role: 'member' }));
  signInBefore('others');
  renderApp('/groups');
  const nav = await screen.findByRole('navigation', { name: 'Main' });
  expect(await within(nav).findByRole('link', { name: 'My Groups' })).toHaveAttribute('href', '/groups');
  expect(await screen.findByRole('link', { name: 'Class of 2027' })).toHaveAttribute('href', `/groups/${id}`);
  expect(screen.queryByRole('button', { name: 'New group' })).toBeNull();
});

test('a coach sees people and open invitations, and pastes more emails', async () => {
  serveGroup(groupOf());
  const sent: unknown[] = [];
  server.use(
    http.post('*/api/groups/:id/invitations', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ group: groupOf(), invited: 2, skipped: [] });
    }),
  );
  signInBefore('others');
  renderApp(`/groups/${id}`);
  const people = within(await screen.findByRole('list', { name: 'People' }));
  expect(people.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    expect.stringContaining('Charles'),
    expect.stringContaining('ada@example.com'),
  ]);
  expect(screen.getByText('Not delivered')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Invite people' }));
  const field = await screen.findByLabelText('Email addresses');
  await pasteInto(field, 'Grace <grace@example.com>, alan@example.com; ADA@example.com\nnobody');
  expect(await screen.findByText('1 entry is not an email address')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Invite 2 people' })).toBeDisabled();
  await userEvent.clear(field);
  await pasteInto(field, 'Grace <grace@example.com>, alan@example.com; ADA@example.com');
  expect(screen.getByText('2 people will be invited, 1 of them again, 1 already in the group')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Invite 2 people' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toEqual([
    {
      people: [
        { email: 'grace@example.com', name: 'Grace' },
        { email: 'alan@example.com', name: '' },
      ],
    },
  ]);
});

test("a member sees the group's work and what coaches can see, and leaves", async () => {
  serveGroup(groupOf({ role: 'member', people: [], invitations: [] }));
  const left: string[] = [];
  const work = {
    id: 'w1',
    sets: [],
    opensAt: at,
    dueAt: null,
    takes: null,
    minimumScore: null,
    own: [{ newest: null }],
  };
  const assignments = [
    { ...work, groupId: id, title: 'Week 1' },
    { ...work, id: 'w2', groupId: 'f'.repeat(24), title: 'Of another group' },
  ];
  server.use(
    http.get('*/api/assignments', () => HttpResponse.json({ assignments })),
    http.delete('*/api/groups/:id/people/:userId', ({ params }) => {
      left.push(String(params.userId));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  signInBefore('others');
  renderApp(`/groups/${id}`);
  expect(await screen.findByText(/They see nothing of what you practice for yourself/)).toBeVisible();
  expect(await screen.findByRole('region', { name: 'Week 1' })).toBeVisible();
  expect(screen.queryByText('Of another group')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Invite people' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Leave the group' }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Leave the group' }));
  await waitFor(() => expect(left).toEqual([userOf('others').id]));
});

test('an admin who is a member takes assigned work like any member, and can go on to manage the group', async () => {
  serveGroup(groupOf({ role: 'member' }));
  const assignments = [
    {
      id: 'w1',
      groupId: id,
      title: 'Week 1',
      sets: [],
      opensAt: at,
      dueAt: null,
      takes: null,
      minimumScore: null,
      own: [{ newest: null }],
    },
  ];
  server.use(
    http.get('*/api/assignments', () => HttpResponse.json({ assignments })),
    http.get('*/api/users', () => HttpResponse.json({ users: [] })),
  );
  signInBefore('admin');
  renderApp(`/groups/${id}#assignment=w1`);
  expect(await screen.findByRole('region', { name: 'Week 1' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Invite people' })).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: 'Manage group' }));
  expect(await screen.findByRole('button', { name: 'Invite people' })).toBeVisible();
});

test('a new person chooses a password and is signed in', async () => {
  const accepted: unknown[] = [];
  server.use(
    http.post('*/api/groups/preview', () =>
      HttpResponse.json({
        groupName: 'Class of 2027',
        coaches: ['Charles'],
        email: 'ada@example.com',
        choosesPassword: true,
      }),
    ),
    http.post('*/api/groups/accept', async ({ request }) => {
      accepted.push(await request.json());
      return HttpResponse.json({ email: 'ada@example.com' });
    }),
    http.post('*/api/auth/login', () => HttpResponse.json({ user: { ...userOf('others'), token: 'a.b.c' } })),
  );
  renderApp('/join#token=secret');
  expect(await screen.findByRole('heading', { name: 'Join “Class of 2027”' })).toBeVisible();
  expect(screen.getByText(/The coaches of this group \(Charles\)/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Create account and join' }));
  expect(accepted).toEqual([]);
  await pasteInto(screen.getByLabelText('New Password'), 'a long enough one');
  await pasteInto(screen.getByLabelText('Confirm New Password'), 'a long enough one');
  await userEvent.click(screen.getByRole('button', { name: 'Create account and join' }));
  expect(await screen.findByRole('heading', { name: 'Groups' })).toBeVisible();
  expect(accepted).toEqual([{ token: 'secret', name: '', password: 'a long enough one' }]);
});

test('someone with a code is asked to sign in', async () => {
  server.use(
    http.post('*/api/groups/preview', () =>
      HttpResponse.json({ groupName: 'Class of 2027', coaches: [], choosesPassword: false }),
    ),
  );
  renderApp('/join');
  await pasteInto(await screen.findByLabelText('Code'), '7K3QX-M2PRT');
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in to join' }));
  expect(await screen.findByRole('heading', { name: 'Interview Platform Login' })).toBeVisible();
  expect(window.location.hash).toBe('#code=7K3QX-M2PRT');
});

test('signed-in users join with one button', async () => {
  const joined: unknown[] = [];
  server.use(
    http.post('*/api/groups/preview', () =>
      HttpResponse.json({ groupName: 'Class of 2027', coaches: [], choosesPassword: false }),
    ),
    http.post('*/api/groups/join', async ({ request }) => {
      joined.push(await request.json());
      return HttpResponse.json({ groupId: id });
    }),
  );
  serveGroup(groupOf({ role: 'member', people: [], invitations: [] }));
  signInBefore('others');
  renderApp('/join#code=7K3QX-M2PRT');
  await userEvent.click(await screen.findByRole('button', { name: 'Join as others@example.com' }));
  expect(await screen.findByRole('heading', { name: 'Class of 2027' })).toBeVisible();
  expect(joined).toEqual([{ code: '7K3QX-M2PRT' }]);
});
