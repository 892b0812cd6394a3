import { generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimNames } from '../src/lti/claims.ts';
import { type CourseMember, startPlatform } from './lti-platform.ts';
import { assignmentId, dataIn, person, type StartedTool, startTool } from './start-tool.ts';

const over = 'This launch has ended. Please open the activity in your course again.';

let tool: StartedTool;
beforeAll(async () => {
  tool = await startTool();
});
afterAll(() => tool.stop());
beforeEach(() => tool.reset());

describe('an attack', () => {
  /** Responds to a login with a token. @returns the status of the launch */
  async function answer(make: (url: string, member: CourseMember) => Promise<string>) {
    const { url, state } = await tool.begin();
    return (await tool.form('launch', { state, id_token: await make(url, person()) })).status;
  }
  const withClaims = (changes: Record<string, unknown>) =>
    answer((url, member) => tool.platform.sign(tool.platform.claimsFor(url, member, changes)));
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
  ])('with %s is rejected', async (_what, changes) => {
    expect(await withClaims({})).toBe(200);
    expect(await withClaims(changes())).toBe(401);
  });

  test('with another key, without a signature, or signed with the public key as a secret is rejected', async () => {
    const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(await answer((url, member) => tool.platform.sign(tool.platform.claimsFor(url, member), { key }))).toBe(401);
    expect(await answer(async (url, member) => new UnsecuredJWT(tool.platform.claimsFor(url, member)).encode())).toBe(
      401,
    );
    const secret = Buffer.from(tool.platform.publicKey.export({ format: 'pem', type: 'spki' }));
    const header = { alg: 'HS256', kid: 'p1' };
    expect(
      await answer((url, member) =>
        new SignJWT(tool.platform.claimsFor(url, member)).setProtectedHeader(header).sign(secret),
      ),
    ).toBe(401);
  });

  test('with a used state, token or window is rejected', async () => {
    await tool.launch(person('Instructor'));
    const begun = await tool.begin();
    const id_token = await tool.platform.sign(tool.platform.claimsFor(begun.url, person()));
    await tool.form('launch', { state: begun.state, id_token }).expect(200);
    expect((await tool.form('launch', { state: begun.state, id_token })).status).toBe(401);
    const other = await tool.begin();
    expect((await tool.form('launch', { state: other.state, id_token })).status).toBe(401);
    // A refused response also uses up the state.
    const right = await tool.platform.sign(tool.platform.claimsFor(other.url, person()));
    expect((await tool.form('launch', { state: other.state, id_token: right })).status).toBe(401);
    const { attempt } = begun;
    await tool.post('finish', { attempt }).expect(200);
    expect((await tool.post('finish', { attempt })).body.message).toBe(over);
    expect((await tool.post('finish', { attempt: other.attempt })).status).toBe(401);
    expect((await tool.post('finish', { attempt: begun.state })).status).toBe(401);
  });

  test('with the email of a user does not take over the account; its owner can link it after signing in', async () => {
    await tool.launch(person('Instructor'));
    const owner = await tool.started.signedIn('dev');
    const member = person('Learner', owner.email.toUpperCase());
    const attempt = await tool.arrive(member);
    const refused = await tool.post('finish', { attempt }).expect(409);
    expect(refused.body.code).toBe('account_exists');
    expect((await tool.started.auth.users.findById(owner.id).orFail().lean()).identities).toBeUndefined();
    expect((await tool.post('link', { attempt })).status).toBe(401);
    const { body } = await tool.post('link', { attempt }, owner.token).expect(200);
    expect(body.place.kind).toBe('nothing-chosen');
    expect((await tool.launch(member)).user).toMatchObject({ id: owner.id, role: 'dev' });
    // From now on it can't sign in anyone else.
    const stranger = await tool.started.signedIn('others');
    const second = await tool.arrive(member);
    expect((await tool.post('link', { attempt: second }, stranger.token)).status).toBe(409);
  });

  test("cannot choose content with another user's launch", async () => {
    const { attempt } = await tool.launch(person('Instructor'));
    const other = await tool.launch(person('Instructor'));
    const choice = { attempt, assignmentId, title: 'Week 1' };
    expect((await tool.post('choose', choice, other.user.token)).status).toBe(403);
    const learner = await tool.launch(person());
    expect((await tool.post('choose', { ...choice, attempt: learner.attempt }, learner.user.token)).status).toBe(403);
  });

  test('by a platform that is not registered, or whose keys cannot be fetched, is rejected with an error page', async () => {
    const answered = await tool
      .form('login', { iss: 'https://x.example.com', login_hint: '1', target_link_uri: 'x' })
      .set('Accept', 'text/html')
      .expect(404);
    expect(answered.headers['content-type']).toContain('text/html');
    expect(answered.text).toContain('not registered');
    const down = await startPlatform();
    await tool.register({ ...down.registration, name: 'Down' }).expect(201);
    const { text } = await tool.form('login', { iss: down.issuer, login_hint: '1', target_link_uri: 'x' }).expect(200);
    const url = dataIn(text).url ?? '';
    down.state.down = true;
    const state = new URL(url).searchParams.get('state') ?? '';
    const id_token = await down.sign(down.claimsFor(url, person()));
    expect((await tool.form('launch', { state, id_token })).status).toBe(503);
    await down.stop();
  });
});
