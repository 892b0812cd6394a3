import { execFile } from 'node:child_process';
import { createHash, createPrivateKey, type JsonWebKey, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Role, SignedInUser } from '@interview-prep/contracts/auth/users';
import type { InterviewSet, PracticeSet } from '@interview-prep/contracts/catalog/sets';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { removeBuckets } from '@interview-prep/kit/testing/remove-buckets';
import { accessTokenProfile } from '@interview-prep/kit/tokens/access-tokens';
import { signToken } from '@interview-prep/kit/tokens/signed-token';
import { removeFolder } from '@interview-prep/local/data-folder';
import { type Stack, type StackOptions, startStack } from '@interview-prep/local/stack';
import { type Db, MongoClient } from 'mongodb';
import { vi } from 'vitest';

const execute = promisify(execFile);

/** An API call. `body` is sent as JSON, unless it is a form or bytes, which are sent with their digest. */
export interface Request {
  method: string;
  path: string;
  body?: unknown;
}

/** A running product, for tests that use it like any client. */
export interface ProductApi {
  call(request: Request, token?: string): Promise<Response>;
  /** Makes a call that must succeed. */
  ask<Result>(request: Request, token?: string): Promise<Result>;
  signIn(email: string, password?: string): Promise<SignedInUser>;
  newDeveloper(password?: string): Promise<SignedInUser>;
  /** Creates a user with role others (the API creates only developers) and signs them in. */
  newCandidate(): Promise<SignedInUser>;
  /** Creates another admin and signs them in. */
  newAdmin(password?: string): Promise<SignedInUser>;
  /** A token signed with this installation's key that expired a minute ago. */
  expiredToken(user: SignedInUser): Promise<string>;
  /** A forged token, signed with this installation's key and valid for ten years. */
  forgedToken(user: SignedInUser): Promise<string>;
  /** Valid media: a one-second tone, with unique bytes on each call. */
  recording(): Blob;
  technology(): Promise<Technology>;
  interviewSet(): Promise<InterviewSet>;
  practiceSet(): Promise<PracticeSet>;
}

/** A product started for one test file. */
export interface Product extends ProductApi {
  stack: Stack;
  /** Contains the data folder `data`. */
  folder: string;
  /** The settings with the names of its databases, queues and bucket. */
  names: Readonly<Record<'MONGODB_PREFIX' | 'REDIS_PREFIX' | 'S3_BUCKET', string>>;
  stop(): Promise<void>;
}

function encode(body: unknown): {
  body?: FormData | string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
} {
  if (body === undefined) return {};
  if (body instanceof FormData) return { body };
  if (!Buffer.isBuffer(body)) return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const digest = createHash('sha256').update(body).digest('base64');
  return {
    body: new Uint8Array(body),
    headers: { 'content-type': 'application/octet-stream', 'content-digest': `sha-256=:${digest}:` },
  };
}

/** The password of the admin and any demonstration users. */
const PASSWORD = 'a password for the test';

/**
 * Starts the product on the servers of the test run, with its own databases and keys. Its only data are the admin and one
 * technology, JavaScript: loading the demonstration takes five seconds of CPU time. `SEED: 'demo'` loads it.
 */
export async function startProduct(
  settings: Record<string, string> = {},
  options: Pick<StackOptions, 'replicas'> = {},
): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'interview-prep-product-'));
  const prefix = `product-${randomUUID().slice(0, 8)}`;
  const names = { MONGODB_PREFIX: `${prefix}-`, REDIS_PREFIX: prefix, S3_BUCKET: prefix };
  // Like Docker mounts secrets.
  const passwordFile = join(folder, 'admin-password');
  await writeFile(passwordFile, `${PASSWORD}\n`);
  const stack = await startStack({
    ...options,
    env: {
      ...process.env,
      ...names,
      // Its own Redis, with the services' accounts.
      REDIS_URL: '',
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      SEED: 'none',
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD_FILE: passwordFile,
      DEMO_PASSWORD: PASSWORD,
      // Unlimited: one account signs in more than sixty times in the tests.
      LOGIN_ATTEMPTS: '0',
      ...settings,
    },
  });
  const mongo = await MongoClient.connect(process.env.MONGODB_URI ?? '');
  const api = await connectProduct(stack.url, PASSWORD, mongo.db(`${prefix}-auth`));
  if (settings.SEED !== 'demo') {
    const admin = await api.signIn('admin@example.com');
    await api.ask({ method: 'post', path: '/api/technologies', body: { name: 'JavaScript' } }, admin.token);
    const body = { technologies: ['javascript'] };
    // Users can have the technology once auth knows it.
    await vi.waitFor(() => api.ask({ method: 'put', path: `/api/users/${admin.id}`, body }, admin.token), {
      timeout: 60_000,
      interval: 50,
    });
  }
  return {
    ...api,
    stack,
    folder,
    names,
    async stop() {
      await stack.stop();
      for (const service of ['auth', 'catalog', 'recording', 'history'])
        await mongo.db(`${prefix}-${service}`).dropDatabase();
      await mongo.close();
      await removeBuckets(prefix);
      await removeFolder(folder);
    },
  };
}

/**
 * Connects to a product that has the technology JavaScript, as admin@example.com.
 * @param auth its database, for data that the API doesn't expose: signing keys, and the role admin
 */
export async function connectProduct(url: string, adminPassword: string, auth: Db): Promise<ProductApi> {
  const folder = await mkdtemp(join(tmpdir(), 'interview-prep-tone-'));
  const media = join(folder, 'tone.webm');
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=300:duration=1', '-c:a', 'libopus', '-b:a', '32k'];
  await execute('ffmpeg', ['-nostdin', '-loglevel', 'error', ...tone, media]);
  const bytes = await readFile(media);
  await removeFolder(folder);
  let made = 0;

  const call: ProductApi['call'] = ({ method, path, body }, token) => {
    const sent = encode(body);
    const authorization = token ? { authorization: `Bearer ${token}` } : {};
    return fetch(`${url}${path}`, {
      ...sent,
      method: method.toUpperCase(),
      headers: { ...sent.headers, ...authorization },
    });
  };
  const ask = async <Result>(request: Request, token?: string): Promise<Result> => {
    const response = await call(request, token);
    const text = await response.text();
    if (!response.ok) throw new Error(`${request.method} ${request.path} returned ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as Result;
  };
  const signIn: ProductApi['signIn'] = async (email, password = adminPassword) =>
    (await ask<{ user: SignedInUser }>({ method: 'post', path: '/api/auth/login', body: { email, password } })).user;
  const admin = await signIn('admin@example.com');
  const next = () => {
    made += 1;
    return made;
  };
  /** @returns the new user's email */
  const register = async (password: string): Promise<string> => {
    const user = { email: `${randomUUID()}@example.com`, password, technologies: ['javascript'] };
    await ask({ method: 'post', path: '/api/auth/register', body: user }, admin.token);
    return user.email;
  };
  const newUserOf = async (role: Role, password: string = randomUUID()): Promise<SignedInUser> => {
    const email = await register(password);
    await auth.collection('users').updateOne({ email }, { $set: { role } });
    return signIn(email, password);
  };
  const unused = () => `${randomUUID().slice(0, 8)} ${next()}`;
  const nowSeconds = () => Math.floor(Date.now() / 1000);
  const sign = async ({ id: sub, email, role, lastLogin }: SignedInUser, times: { iat: number; exp: number }) => {
    const keys = auth.collection<{ kid: string; privateJwk: JsonWebKey }>('signing_keys');
    const key = await keys.findOne({ privateJwk: { $exists: true } }, { sort: { _id: -1 } });
    if (!key) throw new Error('auth has no signing key');
    const privateKey = createPrivateKey({ key: key.privateJwk, format: 'jwk' });
    return signToken(
      accessTokenProfile,
      privateKey,
      { sub, email, role, lastLogin, jti: randomUUID(), ...times },
      key.kid,
    );
  };

  return {
    call,
    ask,
    signIn,
    async newDeveloper(password = randomUUID()) {
      return signIn(await register(password), password);
    },
    newCandidate: () => newUserOf('others'),
    newAdmin: (password) => newUserOf('admin', password),
    expiredToken: (user) => sign(user, { iat: nowSeconds() - 3600, exp: nowSeconds() - 60 }),
    forgedToken: (user) => sign(user, { iat: nowSeconds() + 3600, exp: nowSeconds() + 10 * 365 * 24 * 3600 }),
    recording() {
      // A trailing void element, which readers skip, makes the bytes unique.
      const number = next();
      return new Blob([bytes, new Uint8Array([0xec, 0x82, number >> 8, number & 0xff])], { type: 'audio/webm' });
    },
    technology: async () =>
      (
        await ask<{ technology: Technology }>(
          { method: 'post', path: '/api/technologies', body: { name: unused() } },
          admin.token,
        )
      ).technology,
    interviewSet: async () =>
      (
        await ask<{ interviewSet: InterviewSet }>(
          {
            method: 'post',
            path: '/api/interviews/sets',
            body: {
              title: unused(),
              technology: 'javascript',
              questions: ['What is a closure?', 'What is hoisting?'],
              tags: [],
            },
          },
          admin.token,
        )
      ).interviewSet,
    practiceSet: async () =>
      (
        await ask<{ practiceSet: PracticeSet }>(
          {
            method: 'post',
            path: '/api/practice',
            body: {
              title: unused(),
              technology: 'javascript',
              questions: ['What is a closure?'],
              answers: ['A function.'],
              tags: [],
            },
          },
          admin.token,
        )
      ).practiceSet,
  };
}

/** The form of an upload, as the browser sends it. */
export function uploadForm(filePart: 'audio' | 'file', media: Blob, fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(filePart, media, 'recording.webm');
  return form;
}
