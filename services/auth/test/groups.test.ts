import type { GroupDetail } from '@interview-prep/contracts/auth/groups';
import type { SignedInUser } from '@interview-prep/contracts/auth/users';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { catchMail } from './catch-mail.ts';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

let mail: Awaited<ReturnType<typeof catchMail>>;
let started: StartedAuth;
let admin: SignedInUser;
let coach: SignedInUser;
let member: SignedInUser;
beforeAll(async () => {
  mail = await catchMail();
  started = await startAuth({ SMTP_URL: mail.url, PUBLIC_URL: 'https://prep.example.com' });
  admin = await started.signedIn('admin');
  coach = await started.signedIn('others');
  member = await started.signedIn('others');
});
afterAll(async () => {
  await started.stop();
  await mail.stop();
});
afterEach(() => {
  mail.mails.length = 0;
});

const as = (user: SignedInUser, method: Parameters<StartedAuth['call']>[0], path: string, body?: object) =>
  started.call(method, `/api/groups${path}`, user.token, body);
const visitor = (path: string, body: object) => started.call('post', `/api/groups${path}`, undefined, body);

async function newGroup({ withMember = false } = {}): Promise<GroupDetail> {
  const { body } = await as(admin, 'post', '', { name: 'Class of 2027' }).expect(201);
  const people = [[coach, 'coach'] as const, ...(withMember ? [[member, 'member'] as const] : [])];
  for (const [{ id }, role] of people) await as(admin, 'put', `/${body.group.id}/people/${id}`, { role }).expect(200);
  return (await as(coach, 'get', `/${body.group.id}`).expect(200)).body.group;
}
const read = async (group: GroupDetail, reader = coach): Promise<GroupDetail> =>
  (await as(reader, 'get', `/${group.id}`).expect(200)).body.group;

async function mailedToken(email: string): Promise<string> {
  const find = () => mail.mails.find(({ to }) => to?.[0]?.address === email);
  await expect.poll(find).toBeDefined();
  return new URL(/https:\S+/.exec(find()?.text ?? '')?.[0] ?? '').hash.slice('#token='.length);
}
async function invited(group: GroupDetail, email: string): Promise<string> {
  await as(coach, 'post', `/${group.id}/invitations`, { people: [{ email }] }).expect(200);
  return mailedToken(email);
}
const newEmail = () => `${crypto.randomUUID()}@example.com`;

describe('permissions', () => {
  test('outsiders learn nothing about a group, and members cannot manage it', async () => {
    const group = await newGroup({ withMember: true });
    const [otherCoach, outsider] = [await started.signedIn('others'), await started.signedIn('dev')];
    const other = await newGroup();
    await as(admin, 'put', `/${other.id}/people/${otherCoach.id}`, { role: 'coach' }).expect(200);
    const calls = [
      ['put', '', { name: 'Mine', archived: false }],
      ['put', `/people/${member.id}`, { role: 'coach' }],
      ['delete', `/people/${coach.id}`, undefined],
      ['post', '/invitations', { people: [{ email: newEmail() }] }],
      ['delete', `/invitations/${'0'.repeat(24)}`, undefined],
      ['put', '/join-code', { seats: 3, expiresAt: new Date(Date.now() + 60_000).toISOString() }],
      ['delete', '/join-code', undefined],
    ] as const;
    for (const [method, path, body] of calls) {
      for (const outside of [otherCoach, outsider]) await as(outside, method, `/${group.id}${path}`, body).expect(404);
      await as(member, method, `/${group.id}${path}`, body).expect(403);
    }
    for (const outside of [otherCoach, outsider]) {
      await as(outside, 'get', `/${group.id}`).expect(404);
      expect(JSON.stringify((await as(outside, 'get', '').expect(200)).body)).not.toContain(group.id);
    }
    await as(coach, 'post', '', { name: 'Mine' }).expect(403);
  });

  test('a member sees who the coaches are, but not other people or the code', async () => {
    const group = await newGroup({ withMember: true });
    const code = { seats: 3, expiresAt: new Date(Date.now() + 60_000).toISOString() };
    await as(coach, 'put', `/${group.id}/join-code`, code).expect(200);
    expect(await read(group, member)).toMatchObject({
      role: 'member',
      coaches: [{ email: coach.email }],
      memberCount: 1,
      people: [],
      invitations: [],
      joinCode: null,
    });
    const peopleOf = async () => (await read(group)).people.map(({ email, workMail }) => [email, workMail]).sort();
    expect(await peopleOf()).toEqual(
      [
        [coach.email, undefined],
        [member.email, undefined],
      ].sort(),
    );
    await started.call('put', '/api/auth/mails', member.token, { assignmentMail: false }).expect(200);
    expect(await peopleOf()).toEqual(
      [
        [coach.email, undefined],
        [member.email, false],
      ].sort(),
    );
    await started.call('put', '/api/auth/mails', member.token, { assignmentMail: true }).expect(200);
  });

  test('a coach can make a member a coach, but cannot add outsiders directly', async () => {
    const group = await newGroup({ withMember: true });
    const outsider = await started.signedIn('others');
    await as(coach, 'put', `/${group.id}/people/${outsider.id}`, { role: 'member' }).expect(404);
    await as(coach, 'put', `/${group.id}/people/${member.id}`, { role: 'coach' }).expect(200);
    await as(member, 'put', `/${group.id}`, { name: 'Renamed', archived: false }).expect(200);
    expect(await started.published('auth', 'audit-event')).toContainEqual(
      expect.objectContaining({
        action: 'group.person',
        outcome: 'success',
        actor: coach.id,
        target: `user:${member.id}`,
        details: { group: group.id, from: 'member', to: 'coach' },
      }),
    );
  });
});

describe('an invitation', () => {
  test('creates an account for a new person, once', async () => {
    const group = await newGroup();
    const email = newEmail();
    const token = await invited(group, email);
    expect((await read(group)).invitations).toMatchObject([{ email, state: 'sent' }]);
    const preview = (await visitor('/preview', { token }).expect(200)).body;
    expect(preview).toEqual({ groupName: group.name, coaches: [coach.email], email, choosesPassword: true });
    expect((await visitor('/accept', { token, password: 'short' }).expect(400)).body.details[0].path).toBe('password');
    await visitor('/accept', { token, password: 'a long enough one', name: 'Ada' }).expect(200, { email });
    const { user } = (await started.login(email, 'a long enough one').expect(200)).body;
    expect([user.role, user.name]).toEqual(['others', 'Ada']);
    expect(await read(group)).toMatchObject({ memberCount: 1, invitations: [] });
    await visitor('/accept', { token, password: 'a long enough one' }).expect(400);
    await as(admin, 'post', '/join', { token }).expect(400);
  });

  test("uses the coach's name for the new person if they enter none", async () => {
    const group = await newGroup();
    const email = newEmail();
    await as(coach, 'post', `/${group.id}/invitations`, { people: [{ email, name: 'Ada Lovelace' }] }).expect(200);
    await visitor('/accept', { token: await mailedToken(email), password: 'a long enough one' }).expect(200);
    expect((await read(group)).people).toContainEqual(expect.objectContaining({ email, name: 'Ada Lovelace' }));
  });

  test('does not sign in to an existing account: its owner has to sign in to join', async () => {
    const group = await newGroup();
    const token = await invited(group, member.email);
    expect((await visitor('/preview', { token }).expect(200)).body.choosesPassword).toBe(false);
    await visitor('/accept', { token, password: 'a long enough one' }).expect(409);
    await started.login(member.email, password).expect(200);
    await as(member, 'post', '/join', { token }).expect(200, { groupId: group.id });
    expect((await read(group)).memberCount).toBe(1);
  });

  test('sends a new link when sent again, none once revoked, and none to members', async () => {
    const group = await newGroup({ withMember: true });
    const email = newEmail();
    const first = await invited(group, email);
    mail.mails.length = 0;
    const second = await invited(group, email);
    await visitor('/preview', { token: first }).expect(400);
    await visitor('/preview', { token: second }).expect(200);
    const [invitation] = (await read(group)).invitations;
    await as(coach, 'delete', `/${group.id}/invitations/${invitation?.id}`).expect(204);
    await visitor('/preview', { token: second }).expect(400);
    const people = [{ email: member.email }];
    const { body } = await as(coach, 'post', `/${group.id}/invitations`, { people }).expect(200);
    expect([body.invited, body.skipped]).toEqual([0, [member.email]]);
  });

  test('lets in one of two accounts with the same link', async () => {
    const group = await newGroup();
    const token = await invited(group, newEmail());
    const both = [await started.signedIn('others'), await started.signedIn('others')];
    const answers = await Promise.all(both.map((user) => as(user, 'post', '/join', { token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await read(group)).memberCount).toBe(1);
  });

  test('names every error by its place, and then invites nobody', async () => {
    const group = await newGroup();
    const people = [{ email: newEmail() }, { email: 'not an address' }, { email: '' }];
    const { body } = await as(coach, 'post', `/${group.id}/invitations`, { people }).expect(400);
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(['people.1.email', 'people.2.email']);
    expect((await read(group)).invitations).toEqual([]);
  });
});

describe('a join code', () => {
  const open = async (group: GroupDetail, seats: number, inMs = 60_000): Promise<string> => {
    const body = { seats, expiresAt: new Date(Date.now() + inMs).toISOString() };
    return (await as(coach, 'put', `/${group.id}/join-code`, body).expect(200)).body.group.joinCode.code;
  };

  test('lets in signed-in users while there are seats, in any spelling', async () => {
    const group = await newGroup();
    const code = await open(group, 1);
    expect((await visitor('/preview', { code }).expect(200)).body).toMatchObject({ choosesPassword: false });
    await as(member, 'post', '/join', { code: ` ${code.toLowerCase().replace('-', ' ')}` }).expect(200);
    await as(member, 'post', '/join', { code }).expect(200);
    const late = await started.signedIn('others');
    expect((await as(late, 'post', '/join', { code }).expect(409)).body.message).toBe(
      'All seats of this group are taken',
    );
    expect(await read(group)).toMatchObject({ memberCount: 1, joinCode: { seats: 1, seatsLeft: 0 } });
  });

  test('lets in as many concurrent users as there are seats', async () => {
    const group = await newGroup();
    const code = await open(group, 2);
    const users = await Promise.all(Array.from({ length: 5 }, () => started.signedIn('others')));
    const answers = await Promise.all(users.map((user) => as(user, 'post', '/join', { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409]);
    expect((await read(group)).memberCount).toBe(2);
  });

  test('verifies a new person’s email before letting them in', async () => {
    const group = await newGroup();
    const code = await open(group, 1);
    const email = newEmail();
    await visitor('/request-invitation', { code: 'AAAAA-AAAAA', email }).expect(400);
    await visitor('/request-invitation', { code, email }).expect(200);
    await visitor('/accept', { token: await mailedToken(email), password: 'a long enough one' }).expect(200);
    expect((await read(group)).joinCode).toMatchObject({ seatsLeft: 0 });
  });

  test('ends when it expires, when a coach ends it, and with the group', async () => {
    const group = await newGroup();
    const past = { seats: 1, expiresAt: new Date(Date.now() - 1000).toISOString() };
    await as(coach, 'put', `/${group.id}/join-code`, past).expect(400);
    const short = await open(group, 5, 2000);
    await expect.poll(async () => (await visitor('/preview', { code: short })).status).toBe(400);
    const code = await open(group, 5);
    await as(coach, 'delete', `/${group.id}/join-code`).expect(204);
    await visitor('/preview', { code }).expect(400);
    const last = await open(group, 5);
    await as(coach, 'put', `/${group.id}`, { name: group.name, archived: true }).expect(200);
    await visitor('/preview', { code: last }).expect(409);
    await as(member, 'post', '/join', { code: last }).expect(409);
  });
});

test('someone who leaves or is removed is published as gone', async () => {
  const group = await newGroup({ withMember: true });
  await as(member, 'delete', `/${group.id}/people/${member.id}`).expect(204);
  await as(member, 'get', `/${group.id}`).expect(404);
  await as(coach, 'delete', `/${group.id}/people/${member.id}`).expect(404);
  const published = (await started.published('history', 'group-changed')).filter(({ groupId }) => groupId === group.id);
  const newest = published.toSorted((a, b) => b.revision - a.revision)[0];
  expect(newest).toMatchObject({ coaches: [coach.id], members: [], archived: false });
  expect(await started.published('recording', 'group-changed')).toContainEqual(newest);
});

test('deleting an account removes its memberships and invitations, and its export names its groups', async () => {
  const group = await newGroup();
  const leaver = await started.signedIn('others');
  await as(admin, 'put', `/${group.id}/people/${leaver.id}`, { role: 'member' }).expect(200);
  const data = (await started.call('get', '/api/auth/account-data', leaver.token).expect(200)).body;
  expect(data.groups).toMatchObject([{ name: group.name, role: 'member' }]);
  const other = await newGroup();
  await invited(other, leaver.email);
  await started.call('delete', `/api/users/${leaver.id}`, admin.token).expect(204);
  expect((await read(group)).memberCount).toBe(0);
  expect((await read(other)).invitations).toEqual([]);
});

test('without a mail server, coaches get links to pass on, and a code needs an account', async () => {
  const silent = await startAuth({ PUBLIC_URL: 'https://prep.example.com' });
  try {
    const { token } = await silent.signedIn('admin');
    const { group } = (await silent.call('post', '/api/groups', token, { name: 'Quiet' }).expect(201)).body;
    const email = newEmail();
    const path = `/api/groups/${group.id}/invitations`;
    const { links } = (await silent.call('post', path, token, { people: [{ email }] }).expect(200)).body;
    expect(links).toEqual([
      { email, link: expect.stringMatching(/^https:\/\/prep\.example\.com\/join#token=[\w-]{43}$/) },
    ]);
    const body = { token: new URL(links[0].link).hash.slice('#token='.length), password: 'a long enough one' };
    await silent.call('post', '/api/groups/accept', undefined, body).expect(200);
    await silent.call('post', '/api/groups/request-invitation', undefined, { code: 'A', email }).expect(409);
  } finally {
    await silent.stop();
  }
});

test('2,000 emails are queued within five seconds, and other emails go first', async () => {
  const group = await newGroup();
  mail.refuse(Number.MAX_SAFE_INTEGER);
  const people = Array.from({ length: 2000 }, (_, index) => ({ email: `many-${index}@example.com` }));
  const begunMs = performance.now();
  const { body } = await as(coach, 'post', `/${group.id}/invitations`, { people }).expect(200);
  expect([body.invited, body.group.invitations.length]).toEqual([2000, 2000]);
  expect(performance.now() - begunMs).toBeLessThan(5000);
  mail.refuse(0);
  await started.call('post', '/api/auth/forgot-password', undefined, { email: member.email }).expect(200);
  await mailedToken(member.email);
  expect(mail.mails.length).toBeLessThan(200);
  await as(coach, 'put', `/${group.id}`, { name: group.name, archived: true }).expect(200);
}, 30_000);

describe('a message to people in a group', () => {
  const message = { subject: 'Next\nweek', text: 'We meet on Monday.\n\nBring <questions>.' };
  const write = (group: GroupDetail, body: object, user = coach) =>
    as(user, 'post', `/${group.id}/messages`, { userIds: [member.id], ...message, ...body });

  test('names the sender, who gets the replies; only audit facts are kept', async () => {
    // Invitations of earlier tests would be sent first.
    await started.backing.mongo.collection('reset_requests').deleteMany({});
    const group = await newGroup({ withMember: true });
    expect((await write(group, { userIds: [member.id, member.id, coach.id] }).expect(200)).body).toEqual({
      mailed: 2,
      unreached: [],
    });
    const mailed = () => mail.mails.find(({ to }) => to?.[0]?.address === member.email);
    await expect.poll(mailed, { timeout: 15_000 }).toBeDefined();
    expect(mailed()).toMatchObject({ subject: 'Next week', replyTo: [{ address: coach.email }] });
    expect(mailed()?.text).toContain(`${coach.email} writes to you as a member of “Class of 2027”:`);
    expect(mailed()?.text).toContain('We meet on Monday.\n\nBring <questions>.');
    expect(mailed()?.html).toContain('Bring &lt;questions&gt;.');
    await expect.poll(() => started.backing.mongo.collection('reset_requests').countDocuments()).toBe(0);
  });

  test('skips people who opted out, and is refused to members and outsiders, and for invalid input', async () => {
    const group = await newGroup({ withMember: true });
    const outsider = await started.signedIn('others');
    await started.call('put', '/api/auth/mails', member.token, { assignmentMail: false }).expect(200);
    expect((await write(group, {}).expect(200)).body).toEqual({ mailed: 0, unreached: [member.id] });
    await started.call('put', '/api/auth/mails', member.token, { assignmentMail: true }).expect(200);
    await write(group, {}, member).expect(403);
    await write(group, {}, outsider).expect(404);
    await write(group, {}, admin).expect(200);
    expect((await write(group, { userIds: [member.id, outsider.id] }).expect(400)).body.details).toMatchObject([
      { path: 'userIds.1' },
    ]);
    for (const body of [
      { userIds: [] },
      { userIds: ['x'] },
      { subject: '  ' },
      { subject: 'x'.repeat(151) },
      { text: '\n' },
      { text: 'x'.repeat(5001) },
    ])
      await write(group, body).expect(400);
    await as(coach, 'put', `/${group.id}`, { name: group.name, archived: true }).expect(200);
    await write(group, {}).expect(409);
  });

  test('is limited to 20 per hour', async () => {
    const busy = await started.signedIn('others');
    const group = await newGroup({ withMember: true });
    await as(admin, 'put', `/${group.id}/people/${busy.id}`, { role: 'coach' }).expect(200);
    for (let sent = 0; sent < 20; sent += 1) await write(group, { userIds: [busy.id] }, busy).expect(200);
    await write(group, { userIds: [busy.id] }, busy).expect(429);
  });
});
