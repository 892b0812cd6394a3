import { createLocalJWKSet, jwtVerify } from 'jose';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimNames } from '../src/lti/claims.ts';
import { contentRequest } from './lti-platform.ts';
import { assignmentId, dataIn, person, publicUrl, type StartedTool, startTool } from './start-tool.ts';

const content = contentRequest('https://moodle.example.com/return?id=1');

let tool: StartedTool;
beforeAll(async () => {
  tool = await startTool();
});
afterAll(() => tool.stop());
beforeEach(() => tool.reset());

describe('a launch', () => {
  test('redirects to the platform with state and nonce, and keeps its secret in the window', async () => {
    const { url, attempt, headers } = await tool.begin();
    const query = Object.fromEntries(new URL(url).searchParams);
    expect(url.startsWith(`${tool.platform.issuer}/auth?site=1&`)).toBe(true);
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

  test("creates a member with the role others in the course's group, once", async () => {
    const teacher = await tool.launch(person('Instructor'));
    expect(teacher.place).toMatchObject({ kind: 'choose', courseTitle: 'Web Engineering', returnedBy: null });
    const member = person();
    const first = await tool.launch(member);
    const again = await tool.launch({ ...member, email: 'other@example.com' });
    expect(first.user).toMatchObject({ role: 'others', email: member.email, name: member.name });
    expect(again.user.id).toBe(first.user.id);
    expect(again.user.email).toBe(member.email);
    await tool.started.call('get', '/api/auth/me', first.user.token).expect(200);
    expect(first.place).toMatchObject({ kind: 'nothing-chosen', groupId: teacher.place.groupId });
    const { name, people } = await tool.groupOf(teacher.place.groupId);
    expect(name).toBe('Web Engineering');
    expect(people).toEqual([
      expect.objectContaining({ userId: teacher.user.id, role: 'coach' }),
      expect.objectContaining({ userId: first.user.id, role: 'member' }),
    ]);
  });

  test('opens the assignment that the teacher chose: the work for members, the roster for coaches', async () => {
    const teacher = person('Instructor');
    const { attempt, user } = await tool.launch(teacher);
    await tool.post('choose', { attempt, assignmentId, title: 'Week 1' }, user.token).expect(200);
    expect((await tool.launch(teacher)).place).toMatchObject({ kind: 'roster', assignmentId });
    expect((await tool.launch(person())).place).toMatchObject({ kind: 'work', assignmentId });
    const asked = await tool.started.published('recording', 'announce-scores');
    expect(asked.some((job) => job.assignmentId === assignmentId)).toBe(true);
  });

  test('is refused before a teacher has opened the course, to people who are neither teachers nor students, and without an email', async () => {
    expect((await tool.post('finish', { attempt: await tool.arrive(person()) })).status).toBe(409);
    await tool.launch(person('Instructor'));
    expect((await tool.post('finish', { attempt: await tool.arrive(person('Mentor')) })).status).toBe(403);
    const { email: _, ...hidden } = person();
    const { body } = await tool.post('finish', { attempt: await tool.arrive(hidden) }).expect(403);
    expect(body.message).toContain('email address');
  });

  test('of a suspended user or an archived group is refused', async () => {
    const teacher = await tool.launch(person('Instructor'));
    const member = person();
    const { user } = await tool.launch(member);
    await tool.started.auth.users.updateOne({ _id: user.id }, { $set: { suspendedAt: new Date() } });
    expect((await tool.post('finish', { attempt: await tool.arrive(member) })).body.code).toBe('suspended');
    const path = `/api/groups/${teacher.place.groupId}`;
    await tool.started.call('put', path, tool.admin.token, { name: 'x', archived: true }).expect(200);
    expect((await tool.post('finish', { attempt: await tool.arrive(person()) })).status).toBe(409);
  });

  test('asks for the second factor if the user has one', async () => {
    await tool.launch(person('Instructor'));
    const member = person();
    const { user } = await tool.launch(member);
    await tool.started.auth.users.updateOne(
      { _id: user.id },
      { $set: { totp: { secret: 'JBSWY3DPEHPK3PXP', lastStep: 0 } } },
    );
    const { body } = await tool.post('finish', { attempt: await tool.arrive(member) }).expect(200);
    expect(body.signIn.secondFactor.methods).toEqual(['totp']);
    expect(body.signIn.user).toBeUndefined();
  });
});

describe('deep linking', () => {
  test('returns a signed choice to the platform, in the window and in the waiting frame', async () => {
    const framed = await tool.begin({ target_link_uri: `${publicUrl}/api/auth/lti/content` });
    await tool.form('return', { frame: framed.frame }).expect(204);
    // The frame's link, opened in a new window.
    const link = new URL(framed.link);
    const { text } = await request(tool.started.app)
      .get(link.pathname + link.search)
      .expect(200);
    const begun = dataIn(text);
    const teacher = person('Instructor');
    const state = new URL(begun.url ?? '').searchParams.get('state') ?? '';
    const id_token = await tool.platform.sign(tool.platform.claimsFor(begun.url ?? '', teacher, content));
    await tool.form('launch', { state, id_token }).expect(200);
    const { body } = await tool.post('finish', { attempt: begun.attempt }).expect(200);
    expect(body.place).toMatchObject({ kind: 'choose', returnedBy: 'frame' });
    await tool.form('return', { frame: framed.frame }).expect(204);
    const choice = { attempt: begun.attempt, assignmentId, title: 'Week <1>' };
    await tool.post('choose', choice, body.signIn.user.token).expect(200);

    for (const by of [{ frame: framed.frame }, { attempt: begun.attempt ?? '' }]) {
      const page = await tool.form('return', by).expect(200);
      expect(page.text).toContain('action="https://moodle.example.com/return?id=1"');
      const jwt = /name="JWT" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
      const { payload } = await jwtVerify(jwt, createLocalJWKSet(tool.platform.state.toolKeys), {
        issuer: 'tool-1',
        audience: tool.platform.issuer,
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
    // The platform returns what it was given.
    const custom = { [claimNames.custom]: { assignment: assignmentId } };
    expect((await tool.launch(person(), custom)).place).toMatchObject({ kind: 'work', assignmentId });
  });

  test('is only for teachers', async () => {
    await tool.launch(person('Instructor'));
    expect((await tool.post('finish', { attempt: await tool.arrive(person(), content) })).status).toBe(403);
  });
});
