import type { SignedInUser } from '@interview-prep/contracts/auth/users';
import request from 'supertest';
import { type CourseMember, startPlatform } from './lti-platform.ts';
import { startAuth } from './start-auth.ts';

export const publicUrl = 'https://prep.example.com';
export const assignmentId = 'a'.repeat(24);

let count = 0;
export function person(role: CourseMember['role'] = 'Learner', email?: string): CourseMember {
  count += 1;
  return { sub: `person-${count}`, name: `Person ${count}`, email: email ?? `person-${count}@example.com`, role };
}

/** The data that the login page passes to its script. */
export function dataIn(html: string): Record<string, string> {
  return JSON.parse(/const data = (.*);/.exec(html)?.[1] ?? '');
}

/** Auth as the tool of a learning platform that is registered with it. */
export async function startTool() {
  const platform = await startPlatform();
  const started = await startAuth({ PUBLIC_URL: publicUrl });
  const admin = await started.signedIn('admin');

  const register = (body: object, token = admin.token) => started.call('post', '/api/auth/lti/platforms', token, body);
  const post = (path: string, body: object, token?: string) =>
    started.call('post', `/api/auth/lti/${path}`, token, body);
  const form = (path: string, fields: Record<string, string>) =>
    request(started.app).post(`/api/auth/lti/${path}`).type('form').send(fields);
  const begin = async (fields: Record<string, string> = {}) => {
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
  };
  /** A launch up to the web app's page. */
  const arrive = async (member: CourseMember, changes: Record<string, unknown> = {}, fields = {}) => {
    const begun = await begin(fields);
    const id_token = await platform.sign(platform.claimsFor(begun.url, member, changes));
    await form('launch', { state: begun.state, id_token }).expect(200);
    return begun.attempt;
  };
  const launch = async (member: CourseMember, changes: Record<string, unknown> = {}) => {
    const attempt = await arrive(member, changes);
    const { body } = await post('finish', { attempt }).expect(200);
    return { attempt, user: body.signIn.user as SignedInUser, place: body.place };
  };

  await register(platform.registration).expect(201);
  platform.state.toolKeys = (await started.call('get', '/api/auth/lti/keys').expect(200)).body;
  return {
    platform,
    started,
    admin,
    register,
    post,
    form,
    begin,
    arrive,
    launch,
    groupOf: async (id: string) => (await started.call('get', `/api/groups/${id}`, admin.token).expect(200)).body.group,
    /** Deletes every course and launch. */
    async reset() {
      platform.scores.length = 0;
      platform.members.length = 0;
      Object.assign(platform.state, { scoreStatus: 200, down: false });
      const { lti } = started.auth;
      const models = [lti.courses, lti.links, lti.scores, lti.launches];
      await Promise.all(models.map((model) => model.deleteMany({} as never)));
    },
    async stop() {
      await started.stop();
      await platform.stop();
    },
  };
}

export type StartedTool = Awaited<ReturnType<typeof startTool>>;
