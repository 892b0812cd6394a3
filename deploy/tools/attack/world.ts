import { createHmac, createPrivateKey, type JsonWebKey, randomUUID } from 'node:crypto';
import {
  assertion,
  makePasskey,
  registration,
  type SoftwarePasskey,
} from '@interview-prep/kit/testing/software-passkey';
import { accessTokenProfile } from '@interview-prep/kit/tokens/access-tokens';
import { signToken } from '@interview-prep/kit/tokens/signed-token';
import { readAddresses } from '@interview-prep/local/running-addresses';
import type { Stack } from '@interview-prep/local/stack';
import { MongoClient } from 'mongodb';
import { eventually } from '../fuzz/request.ts';
import type { Account } from '../fuzz/take-sessions.ts';
import { mailedToken } from '../fuzz/world.ts';
import { silentRecording } from '../silent-recording.ts';
import { type Answer, type Call, send } from './requests.ts';

interface AttackResult {
  /** Whether the attacker got what they wanted. */
  succeeded: boolean;
  /** The product's response, in one line. */
  answered: string;
}

/** One attack, with its line in the report. */
export interface Attack {
  name: string;
  run(world: World): Promise<AttackResult>;
}

export type Attacker = Account;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The current code of an authenticator app. Source: RFC 6238, RFC 4226. @param secret in base32 */
function totpCode(secret: string, atMs = Date.now()): string {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)));
  const digest = createHmac('sha1', key).update(step).digest();
  const offset = digest.readUInt8(19) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** The product under attack, and the means of an insider. */
export interface World {
  url: string;
  mailUrl: string;
  /** Signs in as the admin. @returns a fresh token */
  admin(): Promise<string>;
  /** An admin's token whose sign-in began this many seconds ago and was not confirmed since. */
  adminSince(seconds: number): Promise<string>;
  call(call: Call): Promise<Answer>;
  /** A setup call of an attack. @throws if it fails */
  ask<Result>(call: Call): Promise<Result>;
  signIn(email: string, password: string): Promise<Attacker>;
  candidate(): Promise<Attacker>;
  /** A user whose role needs a second factor and whose only one is a passkey, signed in with it. */
  withPasskey(): Promise<{ user: Attacker; passkey: SoftwarePasskey }>;
  passkeySignIn(passkey: SoftwarePasskey): Promise<Answer>;
  /** Adds a passkey to the user of a token. @param challenge one that was issued before */
  addPasskey(token: string, passkey: SoftwarePasskey, challenge?: string): Promise<Answer>;
  passkeyChallenge(token: string): Promise<string>;
  mailedToken(email: string): Promise<string>;
  /** Uploads an answer and waits until it is judged. @returns the ids of the recording and its interview */
  answer(
    user: Attacker,
    setId: string,
    media?: Buffer,
    options?: { sessionId?: string; questionId?: number },
  ): Promise<{ recordingId: string; interviewId: string }>;
  /** An interview's detail, as this user sees it. */
  // biome-ignore lint/suspicious/noExplicitAny: attacks read arbitrary fields
  detail(user: Attacker, interviewId: string): Promise<any>;
  /** Creates a set of two questions with expert answers. @returns its id */
  newSet(expertAnswers?: string[]): Promise<string>;
}

/** The multipart body of an upload. */
function form(fields: Record<string, string>, media: Buffer): { body: Buffer; headers: Record<string, string> } {
  const boundary = randomUUID();
  const part = (name: string, extra: string, content: Buffer) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${extra}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ]);
  const texts = Object.entries(fields).map(([name, value]) => part(name, '', Buffer.from(value)));
  const file = part('audio', '; filename="recording.wav"\r\nContent-Type: audio/wav', media);
  return {
    body: Buffer.concat([...texts, file, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

/** Creates the world for a product with demonstration data whose role `dev` needs a second factor. */
export async function createWorld(stack: Pick<Stack, 'url' | 'demo' | 'mailUrl'>, dataDir: string): Promise<World> {
  const { url, mailUrl = '' } = stack;
  const site = { origin: url.replace('127.0.0.1', 'localhost'), host: 'localhost' };
  const call: World['call'] = (asked) => send(url, asked);
  const ask = async <Result>(asked: Call): Promise<Result> => {
    const answer = await call(asked);
    if (answer.status >= 300)
      throw new Error(`${asked.method ?? 'GET'} ${asked.path} returned ${answer.status}: ${answer.bytes}`);
    return answer.body as Result;
  };
  const post = <Result>(path: string, body: object, token?: string) =>
    ask<Result>({ method: 'POST', path, body, token });
  const signIn: World['signIn'] = async (email, password) => {
    const { user } = await post<{ user: { id: string; token: string } }>('/api/auth/login', { email, password });
    return { email, password, id: user.id, token: user.token };
  };

  const { password } = stack.demo;
  let latest = { token: (await signIn('admin@example.com', password)).token, atMs: Date.now() };
  const admin = async () => {
    if (Date.now() - latest.atMs > 30_000) {
      const { token } = await post<{ token: string }>('/api/auth/step-up', { password }, latest.token);
      latest = { token, atMs: Date.now() };
    }
    return latest.token;
  };
  const adminSince: World['adminSince'] = async (seconds) => {
    const mongo = await MongoClient.connect((await readAddresses(dataDir)).MONGODB_URI);
    try {
      const keys = mongo.db('auth').collection<{ kid: string; privateJwk: JsonWebKey }>('signing_keys');
      const { privateJwk, kid } = (await keys.findOne({ privateJwk: { $exists: true } }))!;
      const { sub, email, role, lastLogin, exp, iat } = JSON.parse(
        Buffer.from((await admin()).split('.')[1] ?? '', 'base64url').toString(),
      );
      const claims = { sub, email, role, lastLogin, exp, iat: iat - seconds, jti: randomUUID() };
      return signToken(accessTokenProfile, createPrivateKey({ key: privateJwk, format: 'jwk' }), claims, kid);
    } finally {
      await mongo.close();
    }
  };

  const register = async () => {
    const user = { email: `${randomUUID()}@example.com`, password: randomUUID(), technologies: ['javascript'] };
    const made = await post<{ user: { id: string } }>('/api/auth/register', user, await admin());
    return { ...user, id: made.user.id };
  };
  const passkeyChallenge = async (token: string) =>
    (await post<{ options: { challenge: string } }>('/api/auth/passkeys/options', {}, token)).options.challenge;
  const addPasskey: World['addPasskey'] = async (token, passkey, given) => {
    const challenge = given ?? (await passkeyChallenge(token));
    const body = { passkey: registration(passkey, { ...site, challenge }) };
    return call({ method: 'POST', path: '/api/auth/passkeys', body, token });
  };
  const passkeySignIn: World['passkeySignIn'] = async (passkey) => {
    const { options } = await post<{ options: { challenge: string } }>('/api/auth/passkey-sign-in/options', {});
    const body = { passkey: assertion(passkey, { ...site, challenge: options.challenge }) };
    return call({ method: 'POST', path: '/api/auth/passkey-sign-in', body });
  };
  const detail: World['detail'] = (user, interviewId) =>
    ask({ path: `/api/interviews/${interviewId}`, token: user.token });

  return {
    url,
    mailUrl,
    admin,
    adminSince,
    call,
    ask,
    signIn,
    async candidate() {
      const { id, email, password: own } = await register();
      const path = `/api/users/${id}/role`;
      await ask({ method: 'PUT', path, body: { role: 'others' }, token: await admin() });
      return signIn(email, own);
    },
    async withPasskey() {
      const { email, password: own } = await register();
      const { secondFactor } = await post<{ secondFactor: { challenge: string; enrolment: { secret: string } } }>(
        '/api/auth/login',
        { email, password: own },
      );
      const { challenge, enrolment } = secondFactor;
      const code = totpCode(enrolment.secret);
      const { user } = await post<{ user: { id: string; token: string } }>('/api/auth/second-factor', {
        challenge,
        code,
      });
      const passkey = makePasskey();
      await addPasskey(user.token, passkey);
      await ask({ method: 'DELETE', path: '/api/auth/totp', token: user.token });
      return { user: { email, password: own, id: user.id, token: user.token }, passkey };
    },
    passkeySignIn,
    addPasskey,
    passkeyChallenge,
    mailedToken: (email) => mailedToken(mailUrl, email),
    async answer(user, interviewSetId, media, { sessionId = randomUUID(), questionId = 0 } = {}) {
      const fields = { sessionId, interviewSetId, questionId: String(questionId) };
      const upload = form(fields, media ?? silentRecording(randomUUID()));
      const { recording } = await ask<{ recording: { _id: string; interviewId: string } }>({
        method: 'POST',
        path: '/api/interviews/recordings',
        token: user.token,
        ...upload,
      });
      const { _id: recordingId, interviewId } = recording;
      await eventually('The verdict', async () => {
        const answer = await call({ path: `/api/interviews/${interviewId}`, token: user.token });
        const own = answer.body?.recordings?.find((each: { _id: string }) => each._id === recordingId);
        return own && own.transcription.status !== 'pending' && own.assessment.status !== 'pending' ? own : null;
      });
      return { recordingId, interviewId };
    },
    detail,
    async newSet(expertAnswers = ['A function with its scope.', 'A value that comes later.']) {
      const body = {
        title: `Set ${randomUUID()}`,
        technology: 'javascript',
        questions: expertAnswers.map((_, index) => `What is thing ${index + 1}?`),
        expertAnswers,
        tags: [],
      };
      const token = await admin();
      const made = await ask<{ interviewSet: { _id: string } }>({
        method: 'POST',
        path: '/api/interviews/sets',
        body,
        token,
      });
      return made.interviewSet._id;
    },
  };
}
