import { generateKeyPairSync } from 'node:crypto';
import type { SignedInUser } from '@interview-prep/contracts/auth/users';
import { createLocalJWKSet, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimNames } from '../src/lti/claims.ts';
import { scoresUrl } from '../src/lti/scores.ts';
import { nextPage } from '../src/lti/update-members.ts';
import { type CourseMember, contentRequest, startPlatform, type TestPlatform } from './lti-platform.ts';
import { type StartedAuth, startAuth } from './start-auth.ts';

const publicUrl = 'https://prep.example.com';
const assignmentId = 'a'.repeat(24);
const over = 'This launch has ended. Please open the activity in your course again.';

let platform: TestPlatform;
let started: StartedAuth;
let admin: SignedInUser;
let count = 0;

beforeAll(async () => {
  platform = await startPlatform();
  started = await startAuth({ PUBLIC_URL: publicUrl });
  admin = await started.signedIn('admin');
  await register(platform.registration).expect(201);
  platform.state.toolKeys = (await started.call('get', '/api/auth/lti/keys').expect(200)).body;
});
afterAll(async () => {
  await started.stop();
  await platform.stop();
});
beforeEach(async () => {
  platform.scores.length = 0;
  platform.members.length = 0;
  Object.assign(platform.state, { scoreStatus: 200, down: false });
  const { lti } = started.auth;
  await Promise.all([lti.courses, lti.links, lti.scores, lti.launches].map((model) => model.deleteMany({} as never)));
});

const register = (body: object, token = admin.token) => started.call('post', '/api/auth/lti/platforms', token, body);
function person(role: CourseMember['role'] = 'Learner', email?: string): CourseMember {
  count += 1;
  return { sub: `person-${count}`, name: `Person ${count}`, email: email ?? `person-${count}@example.com`, role };
}
const post = (path: string, body: object, token?: string) => started.call('post', `/api/auth/lti/${path}`, token, body);
const form = (path: string, fields: Record<string, string>) =>
  request(started.app).post(`/api/auth/lti/${path}`).type('form').send(fields);

/** What the page of the login has for its script. */
const dataIn = (html: string) => JSON.parse(/const data = (.*);/.exec(html)?.[1] ?? '') as Record<string, string>;
async function begin(fields: Record<string, string> = {}) {
  const login = {
    iss: platform.issuer,
    login_hint: '5',
    target_link_uri: `${publicUrl}/`,
    lti_message_hint: 'm',
    client_id: 'tool-1',
    ...fields,
  };
  const { text, headers } = await form('login', login).expect(200);
  return {
    ...(dataIn(text) as { attempt: string; url: string; link: string; frame: string }),
    headers,
    state: new URL(dataIn(text).url ?? '').searchParams.get('state') ?? '',
  };
}
/** A launch up to the page of the web app. */
async function arrive(member: CourseMember, changes: Record<string, unknown> = {}, fields = {}) {
  const begun = await begin(fields);
  const id_token = await platform.sign(platform.claimsFor(begun.url, member, changes));
  await form('launch', { state: begun.state, id_token }).expect(200);
  return begun.attempt;
}
/** A whole launch. */
async function launch(member: CourseMember, changes: Record<string, unknown> = {}) {
  const attempt = await arrive(member, changes);
  const { body } = await post('finish', { attempt }).expect(200);
  return { attempt, user: body.signIn.user as SignedInUser, place: body.place };
}
const content = contentRequest('https://moodle.example.com/return?id=1');
const groupOf = async (id: string) =>
  (await started.call('get', `/api/groups/${id}`, admin.token).expect(200)).body.group;

describe('a launch', () => {
  test('goes to the platform with state and nonce, and keeps its secret in the window', async () => {
    const { url, attempt, headers } = await begin();
    const query = Object.fromEntries(new URL(url).searchParams);
    expect(url.startsWith(`${platform.issuer}/auth?site=1&`)).toBe(true);
    expect(query).toMatchObject({
      scope: 'openid',
      response_type: 'id_token',
      response_mode: 'form_post',
      prompt: 'none',
      client_id: 'tool-1',
      redirect_uri: `${publicUrl}/api/auth/lti/launch`,
      login_hint: '5',
      lti_message_hint: 'm',
    });
    expect(url).not.toContain(attempt);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('creates a member with the role others, in the group of the course, once', async () => {
    const teacher = await launch(person('Instructor'));
    expect(teacher.place).toMatchObject({ kind: 'choose', courseTitle: 'Web Engineering', returnedBy: null });
    const member = person();
    const first = await launch(member);
    const again = await launch({ ...member, email: 'other@example.com' });
    expect(first.user).toMatchObject({ role: 'others', email: member.email, name: member.name });
    expect(again.user.id).toBe(first.user.id);
    expect(again.user.email).toBe(member.email);
    await started.call('get', '/api/auth/me', first.user.token).expect(200);
    expect(first.place).toMatchObject({ kind: 'nothing-chosen', groupId: teacher.place.groupId });
    const { name, people } = await groupOf(teacher.place.groupId);
    expect(name).toBe('Web Engineering');
    expect(people).toEqual([
      expect.objectContaining({ userId: teacher.user.id, role: 'coach' }),
      expect.objectContaining({ userId: first.user.id, role: 'member' }),
    ]);
  });

  test('opens the assignment that the teacher chose: the work for members, the roster for coaches', async () => {
    const teacher = person('Instructor');
    const { attempt, user } = await launch(teacher);
    await post('choose', { attempt, assignmentId, title: 'Week 1' }, user.token).expect(200);
    expect((await launch(teacher)).place).toMatchObject({ kind: 'roster', assignmentId });
    expect((await launch(person())).place).toMatchObject({ kind: 'work', assignmentId });
    const asked = await started.published('recording', 'announce-scores');
    expect(asked.some((job) => job.assignmentId === assignmentId)).toBe(true);
  });

  test('is refused before a teacher has opened the course, to others than teachers and students, and without an email', async () => {
    expect((await post('finish', { attempt: await arrive(person()) })).status).toBe(409);
    await launch(person('Instructor'));
    expect((await post('finish', { attempt: await arrive(person('Mentor')) })).status).toBe(403);
    const { email: _, ...hidden } = person();
    const { body } = await post('finish', { attempt: await arrive(hidden) }).expect(403);
    expect(body.message).toContain('email address');
  });

  test('of a suspended user, and of an archived group, is refused', async () => {
    const teacher = await launch(person('Instructor'));
    const member = person();
    const { user } = await launch(member);
    await started.auth.users.updateOne({ _id: user.id }, { $set: { suspendedAt: new Date() } });
    expect((await post('finish', { attempt: await arrive(member) })).body.code).toBe('suspended');
    const path = `/api/groups/${teacher.place.groupId}`;
    await started.call('put', path, admin.token, { name: 'x', archived: true }).expect(200);
    expect((await post('finish', { attempt: await arrive(person()) })).status).toBe(409);
  });

  test('asks for a second factor where the user has one', async () => {
    await launch(person('Instructor'));
    const member = person();
    const { user } = await launch(member);
    await started.auth.users.updateOne(
      { _id: user.id },
      { $set: { totp: { secret: 'JBSWY3DPEHPK3PXP', lastStep: 0 } } },
    );
    const { body } = await post('finish', { attempt: await arrive(member) }).expect(200);
    expect(body.signIn.secondFactor.methods).toEqual(['totp']);
    expect(body.signIn.user).toBeUndefined();
  });
});

describe('an attack', () => {
  /** Answers a login with a token, and gives the status of the launch. */
  async function answer(make: (url: string, member: CourseMember) => Promise<string>) {
    const { url, state } = await begin();
    return (await form('launch', { state, id_token: await make(url, person()) })).status;
  }
  const withClaims = (changes: Record<string, unknown>) =>
    answer((url, member) => platform.sign(platform.claimsFor(url, member, changes)));
  const now = () => Math.floor(Date.now() / 1000);

  test.each<[string, () => Record<string, unknown>]>([
    ['another nonce', () => ({ nonce: 'x' })],
    ['no nonce', () => ({ nonce: undefined })],
    ['an expired token', () => ({ iat: now() - 300, exp: now() - 120 })],
    ['a token without an end', () => ({ exp: undefined })],
    ['an old token that has not expired', () => ({ iat: now() - 3600 })],
    ['a token of the future', () => ({ iat: now() + 3600 })],
    ['another deployment', () => ({ [claimNames.deploymentId]: '8' })],
    ['another audience', () => ({ aud: 'tool-2' })],
    ['another issuer', () => ({ iss: 'https://evil.example.com' })],
    ['another authorized party', () => ({ aud: ['tool-1', 'tool-2'], azp: 'tool-2' })],
    ['several audiences without an authorized party', () => ({ aud: ['tool-1', 'tool-2'] })],
    ['another version', () => ({ [claimNames.version]: '1.1' })],
    ['nobody', () => ({ sub: undefined })],
  ])('with %s is refused', async (_what, changes) => {
    expect(await withClaims({})).toBe(200);
    expect(await withClaims(changes())).toBe(401);
  });

  test('with another key, without a signature, and signed with the public key as a secret is refused', async () => {
    const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(await answer((url, member) => platform.sign(platform.claimsFor(url, member), { key }))).toBe(401);
    expect(await answer(async (url, member) => new UnsecuredJWT(platform.claimsFor(url, member)).encode())).toBe(401);
    const secret = Buffer.from(platform.publicKey.export({ format: 'pem', type: 'spki' }));
    const header = { alg: 'HS256', kid: 'p1' };
    expect(
      await answer((url, member) =>
        new SignJWT(platform.claimsFor(url, member)).setProtectedHeader(header).sign(secret),
      ),
    ).toBe(401);
  });

  test('with a state, a token or a window that was used is refused', async () => {
    await launch(person('Instructor'));
    const begun = await begin();
    const id_token = await platform.sign(platform.claimsFor(begun.url, person()));
    await form('launch', { state: begun.state, id_token }).expect(200);
    expect((await form('launch', { state: begun.state, id_token })).status).toBe(401);
    const other = await begin();
    expect((await form('launch', { state: other.state, id_token })).status).toBe(401);
    // After an answer that was refused, the state is used as well.
    const right = await platform.sign(platform.claimsFor(other.url, person()));
    expect((await form('launch', { state: other.state, id_token: right })).status).toBe(401);
    const { attempt } = begun;
    await post('finish', { attempt }).expect(200);
    expect((await post('finish', { attempt })).body.message).toBe(over);
    expect((await post('finish', { attempt: other.attempt })).status).toBe(401);
    expect((await post('finish', { attempt: begun.state })).status).toBe(401);
  });

  test('with the email of a user does not take over the account; its owner links it after a sign-in', async () => {
    await launch(person('Instructor'));
    const owner = await started.signedIn('dev');
    const member = person('Learner', owner.email.toUpperCase());
    const attempt = await arrive(member);
    const refused = await post('finish', { attempt }).expect(409);
    expect(refused.body.code).toBe('account_exists');
    expect((await started.auth.users.findById(owner.id).orFail().lean()).identities).toBeUndefined();
    expect((await post('link', { attempt })).status).toBe(401);
    const { body } = await post('link', { attempt }, owner.token).expect(200);
    expect(body.place.kind).toBe('nothing-chosen');
    expect((await launch(member)).user).toMatchObject({ id: owner.id, role: 'dev' });
    // It signs in nobody else from now on.
    const stranger = await started.signedIn('others');
    const second = await arrive(member);
    expect((await post('link', { attempt: second }, stranger.token)).status).toBe(409);
  });

  test('with the launch of another user chooses nothing', async () => {
    const { attempt } = await launch(person('Instructor'));
    const other = await launch(person('Instructor'));
    const choice = { attempt, assignmentId, title: 'Week 1' };
    expect((await post('choose', choice, other.user.token)).status).toBe(403);
    const learner = await launch(person());
    expect((await post('choose', { ...choice, attempt: learner.attempt }, learner.user.token)).status).toBe(403);
  });

  test('by a platform that is not registered, or whose keys are down, is refused in words on a page', async () => {
    const answered = await form('login', { iss: 'https://x.example.com', login_hint: '1', target_link_uri: 'x' })
      .set('Accept', 'text/html')
      .expect(404);
    expect(answered.headers['content-type']).toContain('text/html');
    expect(answered.text).toContain('not registered');
    const down = await startPlatform();
    await register({ ...down.registration, name: 'Down' }).expect(201);
    const { text } = await form('login', { iss: down.issuer, login_hint: '1', target_link_uri: 'x' }).expect(200);
    const url = dataIn(text).url ?? '';
    down.state.down = true;
    const state = new URL(url).searchParams.get('state') ?? '';
    const id_token = await down.sign(down.claimsFor(url, person()));
    expect((await form('launch', { state, id_token })).status).toBe(503);
    await down.stop();
  });
});

describe('deep linking', () => {
  test('gives the platform a signed choice, to the window and to the frame that waits', async () => {
    const framed = await begin({ target_link_uri: `${publicUrl}/api/auth/lti/content` });
    await form('return', { frame: framed.frame }).expect(204);
    // The frame's link, in a window of its own.
    const link = new URL(framed.link);
    const { text } = await request(started.app)
      .get(link.pathname + link.search)
      .expect(200);
    const begun = dataIn(text);
    const teacher = person('Instructor');
    const state = new URL(begun.url ?? '').searchParams.get('state') ?? '';
    const id_token = await platform.sign(platform.claimsFor(begun.url ?? '', teacher, content));
    await form('launch', { state, id_token }).expect(200);
    const { body } = await post('finish', { attempt: begun.attempt }).expect(200);
    expect(body.place).toMatchObject({ kind: 'choose', returnedBy: 'frame' });
    await form('return', { frame: framed.frame }).expect(204);
    const choice = { attempt: begun.attempt, assignmentId, title: 'Week <1>' };
    await post('choose', choice, body.signIn.user.token).expect(200);

    for (const by of [{ frame: framed.frame }, { attempt: begun.attempt ?? '' }]) {
      const page = await form('return', by).expect(200);
      expect(page.text).toContain('action="https://moodle.example.com/return?id=1"');
      const jwt = /name="JWT" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
      const { payload } = await jwtVerify(jwt, createLocalJWKSet(platform.state.toolKeys), {
        issuer: 'tool-1',
        audience: platform.issuer,
        algorithms: ['RS256'],
      });
      expect(payload).toMatchObject({
        [claimNames.messageType]: 'LtiDeepLinkingResponse',
        [claimNames.version]: '1.3.0',
        [claimNames.deploymentId]: '7',
        [claimNames.data]: 'opaque "data"',
        [claimNames.contentItems]: [
          {
            type: 'ltiResourceLink',
            title: 'Week <1>',
            url: `${publicUrl}/api/auth/lti/launch`,
            custom: { assignment: assignmentId },
            lineItem: { scoreMaximum: 100, resourceId: assignmentId },
          },
        ],
      });
    }
    // The platform hands back what it was given.
    const custom = { [claimNames.custom]: { assignment: assignmentId } };
    expect((await launch(person(), custom)).place).toMatchObject({ kind: 'work', assignmentId });
  });

  test('is for teachers', async () => {
    await launch(person('Instructor'));
    expect((await post('finish', { attempt: await arrive(person(), content) })).status).toBe(403);
  });
});

describe('the members of a course', () => {
  test('are added page by page, without mail, without doubles, and without taking over accounts', async () => {
    const teacher = person('Instructor');
    const { user } = await launch(teacher);
    const taken = await started.signedIn('others');
    const { email: _, ...hidden } = person();
    platform.members.push(
      teacher,
      person(),
      person(),
      person('Learner', taken.email),
      hidden,
      person('Mentor'),
      person('Instructor'),
    );
    const [course] = (await started.call('get', '/api/auth/lti/courses', user.token).expect(200)).body.courses;
    expect(course).toMatchObject({
      title: 'Web Engineering',
      platformName: 'Moodle',
      tellsMembers: true,
      memberUpdate: null,
    });
    const path = `/api/auth/lti/courses/${course.id}/members`;
    const update = async () => {
      await started.call('post', path, user.token).expect(202);
      await expect.poll(async () => (await listed()).memberUpdate.endedAt, { timeout: 10_000 }).not.toBeNull();
      return (await listed()).memberUpdate;
    };
    const listed = async () => (await started.call('get', '/api/auth/lti/courses', user.token)).body.courses[0];
    expect(await update()).toMatchObject({
      added: 3,
      known: 1,
      fault: null,
      skipped: [{ who: platform.members[3]?.name }, { who: hidden.name }],
    });
    expect(await update()).toMatchObject({ added: 0, known: 4 });
    const { people } = await groupOf(course.group.id);
    expect(people.map(({ role }: { role: string }) => role).sort()).toEqual(['coach', 'coach', 'member', 'member']);
    expect(await started.auth.users.countDocuments({ email: taken.email })).toBe(1);
    // Their first launch finds the account that is there.
    const before = await started.auth.users
      .findOne({ email: platform.members[1]?.email ?? '' })
      .orFail()
      .lean();
    expect((await launch(platform.members[1] as CourseMember)).user.id).toBe(String(before._id));
  });

  test('are for its coaches, and a platform that fails is named', async () => {
    const { user } = await launch(person('Instructor'));
    const learner = await launch(person());
    const stranger = await started.signedIn('others');
    const [course] = (await started.call('get', '/api/auth/lti/courses', admin.token).expect(200)).body.courses;
    const path = `/api/auth/lti/courses/${course.id}/members`;
    expect((await started.call('post', path, learner.user.token)).status).toBe(403);
    expect((await started.call('post', path, stranger.token)).status).toBe(404);
    expect((await started.call('get', '/api/auth/lti/courses', learner.user.token)).body.courses).toEqual([]);
    platform.state.down = true;
    await started.call('post', path, user.token).expect(202);
    const fault = async () =>
      (await started.call('get', '/api/auth/lti/courses', user.token)).body.courses[0].memberUpdate.fault;
    await expect.poll(fault, { timeout: 10_000 }).toMatch(/\(503\)/);
  });

  test('the next page is found among links', () => {
    expect(nextPage('<https://a/x?b=1,2>; rel="prev", <https://a/y>; rel="next"')).toBe('https://a/y');
    expect(nextPage('<https://a/y>; rel="last"')).toBeNull();
    expect(nextPage(undefined)).toBeNull();
  });
});

describe('a score', () => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  async function prepare() {
    const teacher = await launch(person('Instructor'), { [claimNames.custom]: { assignment: assignmentId } });
    const member = person();
    const { user } = await launch(member);
    const event = {
      assignmentId,
      groupId: teacher.place.groupId,
      userId: user.id,
      score: 81.5,
      isComplete: true,
      at: at(0),
    };
    const [course] = (await started.call('get', '/api/auth/lti/courses', teacher.user.token)).body.courses;
    const scores = async () =>
      (await started.call('get', `/api/auth/lti/courses/${course.id}/scores`, teacher.user.token).expect(200)).body
        .scores;
    return { teacher, member, user, event, course, scores };
  }

  test('goes to the line item of the activity, once, and again when it changes', async () => {
    const { member, event, scores } = await prepare();
    const { lti } = started.auth;
    await Promise.all([lti.applyScore(event), lti.applyScore(event), lti.applyScore({ ...event, at: at(1) })]);
    await expect.poll(async () => (await scores())[0]?.state, { timeout: 10_000 }).toBe('delivered');
    expect(platform.scores).toHaveLength(1);
    expect(platform.scores[0]).toMatchObject({
      path: '/items/3/lineitem/scores?type_id=1',
      type: 'application/vnd.ims.lis.v1.score+json',
      body: {
        userId: member.sub,
        scoreGiven: 81.5,
        scoreMaximum: 100,
        activityProgress: 'Completed',
        gradingProgress: 'FullyGraded',
      },
    });
    await lti.applyScore({ ...event, score: 90, at: at(2) });
    await expect.poll(() => platform.scores.length, { timeout: 10_000 }).toBe(2);
    await lti.applyScore({ ...event, score: 10, at: at(-60) });
    await expect
      .poll(async () => (await scores())[0], { timeout: 10_000 })
      .toMatchObject({ score: 90, state: 'delivered', outcome: '200', email: member.email });
    // One token serves for an hour.
    expect([...platform.given.values()].filter((scope) => scope.includes('score')).length).toBe(1);
  });

  test('of another group, of a stranger, and for an activity without a grade goes nowhere', async () => {
    const { event } = await prepare();
    const { lti } = started.auth;
    await lti.applyScore({ ...event, groupId: 'f'.repeat(24) });
    const stranger = await started.signedIn('others');
    await lti.applyScore({ ...event, userId: stranger.id });
    await lti.links.updateMany({}, { $unset: { lineItemUrl: 1 } });
    await lti.applyScore(event);
    expect(await lti.scores.countDocuments({})).toBe(0);
  });

  test('that the platform does not take is tried again, shown, and sent again by hand', async () => {
    const { teacher, user, event, course, scores } = await prepare();
    platform.state.scoreStatus = 500;
    await started.auth.lti.applyScore(event);
    await expect
      .poll(async () => (await scores())[0], { timeout: 10_000 })
      .toMatchObject({ state: 'waiting', outcome: '500', attempts: 1 });
    platform.state.scoreStatus = 404;
    const [score] = await scores();
    const path = `/api/auth/lti/courses/${course.id}/scores/${score.id}`;
    expect((await started.call('post', path, user.token)).status).toBe(403);
    await started.call('post', path, teacher.user.token).expect(202);
    await expect.poll(async () => (await scores())[0]?.state, { timeout: 10_000 }).toBe('failed');
    const [listed] = (await started.call('get', '/api/auth/lti/courses', teacher.user.token)).body.courses;
    expect(listed.failedScores).toBe(1);
    platform.state.scoreStatus = 200;
    await started.call('post', path, teacher.user.token).expect(202);
    await expect.poll(async () => (await scores())[0]?.state, { timeout: 10_000 }).toBe('delivered');
  });

  test("is in its user's data, and forgotten with its user", async () => {
    const { user, event } = await prepare();
    await started.auth.lti.applyScore(event);
    const data = (await started.call('get', '/api/auth/account-data', user.token).expect(200)).body;
    expect(data.platforms).toEqual(['Moodle']);
    expect(data.courseScores).toMatchObject([{ course: 'Web Engineering', activity: 'Week 1', score: 81.5 }]);
    await started.call('delete', `/api/users/${user.id}`, admin.token).expect(204);
    expect(await started.auth.lti.scores.countDocuments({ userId: user.id })).toBe(0);
    expect(await started.auth.lti.launches.countDocuments({ userId: user.id })).toBe(0);
  });

  test('keeps the query of its line item', () => {
    expect(scoresUrl('https://a/lineitem?type_id=1')).toBe('https://a/lineitem/scores?type_id=1');
    expect(scoresUrl('https://a/lineitems/2/')).toBe('https://a/lineitems/2/scores');
  });
});

describe('platforms', () => {
  test('are registered once, changed, and deleted with their courses and the way in', async () => {
    const own = await startPlatform();
    const { body } = await register({ ...own.registration, name: 'Own' }).expect(201);
    expect((await register(own.registration)).status).toBe(409);
    const other = { ...own.registration, clientId: 'tool-9', keysUrl: 'http://127.0.0.1:1/keys' };
    expect((await register(other)).body.details[0].path).toBe('keysUrl');
    const path = `/api/auth/lti/platforms/${body.platform.id}`;
    await started.call('put', path, admin.token, { ...own.registration, deploymentIds: ['7', '8'] }).expect(200);
    const { text } = await form('login', { iss: own.issuer, login_hint: '1', target_link_uri: 'x' }).expect(200);
    const { url = '', attempt = '' } = dataIn(text);
    const id_token = await own.sign(own.claimsFor(url, person('Instructor'), { [claimNames.deploymentId]: '8' }));
    await form('launch', { state: new URL(url).searchParams.get('state') ?? '', id_token }).expect(200);
    const { signIn } = (await post('finish', { attempt }).expect(200)).body;
    const listed = (await started.call('get', '/api/auth/lti/platforms', admin.token).expect(200)).body;
    expect(listed.tool.loginUrl).toBe(`${publicUrl}/api/auth/lti/login`);
    expect(listed.platforms).toContainEqual(
      expect.objectContaining({ id: body.platform.id, deploymentIds: ['7', '8'], courseCount: 1 }),
    );
    await started.call('delete', path, admin.token).expect(204);
    expect(await started.auth.lti.courses.countDocuments({ platformId: body.platform.id })).toBe(0);
    const user = await started.auth.users.findById(signIn.user.id).orFail().lean();
    expect(user.identities).toBeUndefined();
    expect((await form('login', { iss: own.issuer, login_hint: '1', target_link_uri: 'x' })).status).toBe(404);
    await own.stop();
  });

  test('in private networks, or without TLS, are refused unless a setting allows them', async () => {
    const strict = await startAuth({ PUBLIC_URL: publicUrl, WEBHOOK_NETWORKS: 'public' });
    const { token } = await strict.signedIn('admin');
    const at = (tokenUrl: string) =>
      strict.call('post', '/api/auth/lti/platforms', token, {
        ...platform.registration,
        authorizationUrl: 'https://93.184.216.34/auth',
        keysUrl: 'https://93.184.216.34/keys',
        tokenUrl,
      });
    for (const url of ['http://93.184.216.34/', 'https://127.0.0.1/', 'https://[::1]/', 'https://a:b@93.184.216.34/'])
      expect([url, (await at(url)).body.details?.[0]?.path]).toEqual([url, 'tokenUrl']);
    await at('https://93.184.216.34/token').expect(201);
    await strict.stop();
  });
});
