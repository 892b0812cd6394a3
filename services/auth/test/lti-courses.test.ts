import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimNames } from '../src/lti/claims.ts';
import { scoresUrl } from '../src/lti/scores.ts';
import { nextPage } from '../src/lti/update-members.ts';
import { type CourseMember, startPlatform } from './lti-platform.ts';
import { startAuth } from './start-auth.ts';
import { assignmentId, dataIn, person, publicUrl, type StartedTool, startTool } from './start-tool.ts';

let tool: StartedTool;
beforeAll(async () => {
  tool = await startTool();
});
afterAll(() => tool.stop());
beforeEach(() => tool.reset());

describe('the members of a course', () => {
  test('are added page by page, without emails, duplicates or taking over accounts', async () => {
    const teacher = person('Instructor');
    const { user } = await tool.launch(teacher);
    const taken = await tool.started.signedIn('others');
    const { email: _, ...hidden } = person();
    tool.platform.members.push(
      teacher,
      person(),
      person(),
      person('Learner', taken.email),
      hidden,
      person('Mentor'),
      person('Instructor'),
    );
    const [course] = (await tool.started.call('get', '/api/auth/lti/courses', user.token).expect(200)).body.courses;
    expect(course).toMatchObject({
      title: 'Web Engineering',
      platformName: 'Moodle',
      tellsMembers: true,
      memberUpdate: null,
    });
    const path = `/api/auth/lti/courses/${course.id}/members`;
    const update = async () => {
      await tool.started.call('post', path, user.token).expect(202);
      await expect.poll(async () => (await listed()).memberUpdate.endedAt, { timeout: 10_000 }).not.toBeNull();
      return (await listed()).memberUpdate;
    };
    const listed = async () => (await tool.started.call('get', '/api/auth/lti/courses', user.token)).body.courses[0];
    expect(await update()).toMatchObject({
      added: 3,
      known: 1,
      fault: null,
      skipped: [{ who: tool.platform.members[3]?.name }, { who: hidden.name }],
    });
    expect(await update()).toMatchObject({ added: 0, known: 4 });
    const { people } = await tool.groupOf(course.group.id);
    expect(people.map(({ role }: { role: string }) => role).sort()).toEqual(['coach', 'coach', 'member', 'member']);
    expect(await tool.started.auth.users.countDocuments({ email: taken.email })).toBe(1);
    // Their first launch finds the existing account.
    const before = await tool.started.auth.users
      .findOne({ email: tool.platform.members[1]?.email ?? '' })
      .orFail()
      .lean();
    expect((await tool.launch(tool.platform.members[1] as CourseMember)).user.id).toBe(String(before._id));
  });

  test("are visible to the group's coaches, and a failing platform is named", async () => {
    const { user } = await tool.launch(person('Instructor'));
    const learner = await tool.launch(person());
    const stranger = await tool.started.signedIn('others');
    const [course] = (await tool.started.call('get', '/api/auth/lti/courses', tool.admin.token).expect(200)).body
      .courses;
    const path = `/api/auth/lti/courses/${course.id}/members`;
    expect((await tool.started.call('post', path, learner.user.token)).status).toBe(403);
    expect((await tool.started.call('post', path, stranger.token)).status).toBe(404);
    expect((await tool.started.call('get', '/api/auth/lti/courses', learner.user.token)).body.courses).toEqual([]);
    tool.platform.state.down = true;
    await tool.started.call('post', path, user.token).expect(202);
    const fault = async () =>
      (await tool.started.call('get', '/api/auth/lti/courses', user.token)).body.courses[0].memberUpdate.fault;
    await expect.poll(fault, { timeout: 10_000 }).toMatch(/\(503\)/);
  });

  test('the link to the next page is found among several links', () => {
    expect(nextPage('<https://a/x?b=1,2>; rel="prev", <https://a/y>; rel="next"')).toBe('https://a/y');
    expect(nextPage('<https://a/y>; rel="last"')).toBeNull();
    expect(nextPage(undefined)).toBeNull();
  });
});

describe('a score', () => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  async function prepare() {
    const teacher = await tool.launch(person('Instructor'), { [claimNames.custom]: { assignment: assignmentId } });
    const member = person();
    const { user } = await tool.launch(member);
    const event = {
      assignmentId,
      groupId: teacher.place.groupId,
      userId: user.id,
      score: 81.5,
      isComplete: true,
      at: at(0),
    };
    const [course] = (await tool.started.call('get', '/api/auth/lti/courses', teacher.user.token)).body.courses;
    const scores = async () =>
      (await tool.started.call('get', `/api/auth/lti/courses/${course.id}/scores`, teacher.user.token).expect(200)).body
        .scores;
    return { teacher, member, user, event, course, scores };
  }

  test("is sent to the activity's line item once, and again when it changes", async () => {
    const { member, event, scores } = await prepare();
    const { lti } = tool.started.auth;
    await Promise.all([lti.applyScore(event), lti.applyScore(event), lti.applyScore({ ...event, at: at(1) })]);
    await expect.poll(async () => (await scores())[0]?.state, { timeout: 10_000 }).toBe('delivered');
    expect(tool.platform.scores).toHaveLength(1);
    expect(tool.platform.scores[0]).toMatchObject({
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
    await expect.poll(() => tool.platform.scores.length, { timeout: 10_000 }).toBe(2);
    await lti.applyScore({ ...event, score: 10, at: at(-60) });
    await expect
      .poll(async () => (await scores())[0], { timeout: 10_000 })
      .toMatchObject({ score: 90, state: 'delivered', outcome: '200', email: member.email });
    // One token is reused for an hour.
    expect([...tool.platform.given.values()].filter((scope) => scope.includes('score')).length).toBe(1);
  });

  test('of another group, of an outsider, or for an ungraded activity is not sent', async () => {
    const { event } = await prepare();
    const { lti } = tool.started.auth;
    await lti.applyScore({ ...event, groupId: 'f'.repeat(24) });
    const stranger = await tool.started.signedIn('others');
    await lti.applyScore({ ...event, userId: stranger.id });
    await lti.links.updateMany({}, { $unset: { lineItemUrl: 1 } });
    await lti.applyScore(event);
    expect(await lti.scores.countDocuments({})).toBe(0);
  });

  test('that the platform does not accept is retried, shown, and can be sent again manually', async () => {
    const { teacher, user, event, course, scores } = await prepare();
    tool.platform.state.scoreStatus = 500;
    await tool.started.auth.lti.applyScore(event);
    await expect
      .poll(async () => (await scores())[0], { timeout: 10_000 })
      .toMatchObject({ state: 'waiting', outcome: '500', attempts: 1 });
    tool.platform.state.scoreStatus = 404;
    const [score] = await scores();
    const path = `/api/auth/lti/courses/${course.id}/scores/${score.id}`;
    expect((await tool.started.call('post', path, user.token)).status).toBe(403);
    await tool.started.call('post', path, teacher.user.token).expect(202);
    await expect.poll(async () => (await scores())[0]?.state, { timeout: 10_000 }).toBe('failed');
    const [listed] = (await tool.started.call('get', '/api/auth/lti/courses', teacher.user.token)).body.courses;
    expect(listed.failedScores).toBe(1);
    tool.platform.state.scoreStatus = 200;
    await tool.started.call('post', path, teacher.user.token).expect(202);
    await expect.poll(async () => (await scores())[0]?.state, { timeout: 10_000 }).toBe('delivered');
  });

  test("is part of the user's export, and deleted with the user", async () => {
    const { user, event } = await prepare();
    await tool.started.auth.lti.applyScore(event);
    const data = (await tool.started.call('get', '/api/auth/account-data', user.token).expect(200)).body;
    expect(data.platforms).toEqual(['Moodle']);
    expect(data.courseScores).toMatchObject([{ course: 'Web Engineering', activity: 'Week 1', score: 81.5 }]);
    await tool.started.call('delete', `/api/users/${user.id}`, tool.admin.token).expect(204);
    expect(await tool.started.auth.lti.scores.countDocuments({ userId: user.id })).toBe(0);
    expect(await tool.started.auth.lti.launches.countDocuments({ userId: user.id })).toBe(0);
  });

  test("keeps the query of its line item's URL", () => {
    expect(scoresUrl('https://a/lineitem?type_id=1')).toBe('https://a/lineitem/scores?type_id=1');
    expect(scoresUrl('https://a/lineitems/2/')).toBe('https://a/lineitems/2/scores');
  });
});

describe('platforms', () => {
  test("are registered once, changed, and deleted with their courses and accounts' links", async () => {
    const own = await startPlatform();
    const { body } = await tool.register({ ...own.registration, name: 'Own' }).expect(201);
    expect((await tool.register(own.registration)).status).toBe(409);
    const other = { ...own.registration, clientId: 'tool-9', keysUrl: 'http://127.0.0.1:1/keys' };
    expect((await tool.register(other)).body.details[0].path).toBe('keysUrl');
    const path = `/api/auth/lti/platforms/${body.platform.id}`;
    await tool.started
      .call('put', path, tool.admin.token, { ...own.registration, deploymentIds: ['7', '8'] })
      .expect(200);
    const { text } = await tool.form('login', { iss: own.issuer, login_hint: '1', target_link_uri: 'x' }).expect(200);
    const { url = '', attempt = '' } = dataIn(text);
    const id_token = await own.sign(own.claimsFor(url, person('Instructor'), { [claimNames.deploymentId]: '8' }));
    await tool.form('launch', { state: new URL(url).searchParams.get('state') ?? '', id_token }).expect(200);
    const { signIn } = (await tool.post('finish', { attempt }).expect(200)).body;
    const listed = (await tool.started.call('get', '/api/auth/lti/platforms', tool.admin.token).expect(200)).body;
    expect(listed.tool.loginUrl).toBe(`${publicUrl}/api/auth/lti/login`);
    expect(listed.platforms).toContainEqual(
      expect.objectContaining({ id: body.platform.id, deploymentIds: ['7', '8'], courseCount: 1 }),
    );
    await tool.started.call('delete', path, tool.admin.token).expect(204);
    expect(await tool.started.auth.lti.courses.countDocuments({ platformId: body.platform.id })).toBe(0);
    const user = await tool.started.auth.users.findById(signIn.user.id).orFail().lean();
    expect(user.identities).toBeUndefined();
    expect((await tool.form('login', { iss: own.issuer, login_hint: '1', target_link_uri: 'x' })).status).toBe(404);
    await own.stop();
  });

  test('in private networks or without TLS are refused unless a setting allows them', async () => {
    const strict = await startAuth({ PUBLIC_URL: publicUrl, WEBHOOK_NETWORKS: 'public' });
    const { token } = await strict.signedIn('admin');
    const at = (tokenUrl: string) =>
      strict.call('post', '/api/auth/lti/platforms', token, {
        ...tool.platform.registration,
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
