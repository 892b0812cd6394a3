import { randomUUID } from 'node:crypto';
import type { SharedInterview } from '@interview-prep/contracts/recording/shares';
import type { Stack } from '@interview-prep/local/stack';
import { eventually, succeed } from './request.ts';
import { type Account, type Ask, answerOnce, type Belongings, idsOf, takeSessions } from './take-sessions.ts';

/** Who calls: a visitor, or a user of each role. */
export const callers = ['visitor', 'candidate', 'developer', 'admin'] as const;
export type Caller = (typeof callers)[number];
/** A user of the product. The victim makes no calls. */
export type User = Exclude<Caller, 'visitor'> | 'victim';

/** The product with a user of each role, and a victim whose data only admins may see. */
export interface World {
  url: string;
  accounts: Record<User, Account>;
  belongings: Record<User, Belongings>;
  interviewSetIds: string[];
  practiceSetIds: string[];
  technologies: string[];
  /** Secret texts, with the callers who may read them. */
  secrets: ReadonlyMap<string, readonly Caller[]>;
  /** An access token that the fake Google accepts. */
  googleToken: string;
  ask: Ask;
  /** Creates an object for one case to consume. @returns its id, or the token of a reset mail */
  make(kind: FreshKind): Promise<string>;
  /** Creates something owned by a user for one case. @returns its id, or a token or cookie, which ends with the sign-in */
  makeOwn(kind: OwnKind, user: User): Promise<string>;
  /** The target of each such token or cookie: a recording's or a user's id. */
  linkTokens: ReadonlyMap<string, string>;
  /** Creates a developer for a case that may delete the account. */
  makeAccount(): Promise<Account>;
}

/** The kinds of objects that a case can create as its caller. */
export const ownKinds = [
  'media token',
  'export cookie',
  'own recording',
  'own session',
  'own upload',
  'own sign-in',
  'own share',
  'share token',
  'shared recording',
] as const;
export type OwnKind = (typeof ownKinds)[number];

/** The kinds of objects that a case can create to consume. */
export type FreshKind = 'user' | 'technology' | 'interview set' | 'practice set' | 'reset token';

const json = { 'content-type': 'application/json' };
const bearer = (account: Account | null) => (account ? { authorization: `Bearer ${account.token}` } : {});
const setBody = { title: 'For a case', technology: 'javascript', questions: ['What is a closure?'], tags: [] };

/** Waits for a mail to an address. @returns the token in the latest one */
export async function mailedToken(mailUrl: string, email: string): Promise<string> {
  return eventually(`The mail to ${email}`, async () => {
    const mails = (await (await fetch(`${mailUrl}messages`)).json()) as { to: string; text: string }[];
    const mail = mails.find(({ to }) => to.includes(email));
    return /[#&]token=([\w.~-]+)/.exec(mail?.text ?? '')?.[1] ?? null;
  });
}

/** Populates a product with demonstration data. `googleToken` is one that its Google accepts. */
export async function createWorld(stack: Pick<Stack, 'url' | 'demo' | 'mailUrl'>, googleToken: string): Promise<World> {
  const { url } = stack;
  const ask: Ask = (as, method, target, body) =>
    succeed(url, {
      method,
      target,
      headers: { ...bearer(as), ...(body ? json : {}) },
      body: body ? { kind: 'text', text: JSON.stringify(body) } : { kind: 'none' },
    });
  const signIn = async (email: string, password: string): Promise<Account> => {
    const { user } = await ask<{ user: { id: string; token: string } }>(null, 'POST', '/api/auth/login', {
      email,
      password,
    });
    return { email, password, id: user.id, token: user.token };
  };
  const admin = await signIn('admin@example.com', stack.demo.password);
  const register = async () => {
    const user = { email: `${randomUUID()}@example.com`, password: randomUUID(), technologies: ['javascript'] };
    const made = await ask<{ user: { id: string } }>(admin, 'POST', '/api/auth/register', user);
    return { ...user, id: made.user.id };
  };
  const newVictim = await register();
  const accounts: World['accounts'] = {
    admin,
    candidate: await signIn('candidate@example.com', stack.demo.password),
    developer: await signIn('dev@example.com', stack.demo.password),
    victim: await signIn(newVictim.email, newVictim.password),
  };

  const secretAnswer = `secret-${randomUUID()}`;
  const secretSet = { ...setBody, title: 'With a secret', expertAnswers: [secretAnswer] };
  await ask(admin, 'POST', '/api/interviews/sets', secretSet);
  const { interviewSet } = await ask<{ interviewSet: { _id: string } }>(admin, 'POST', '/api/interviews/sets', {
    ...setBody,
    title: 'To be answered',
    questions: ['What is a closure?', 'What is a promise?'],
  });
  const { practiceSet } = await ask<{ practiceSet: { _id: string } }>(admin, 'POST', '/api/practice', {
    ...setBody,
    title: 'To be practiced',
    questions: ['What is a closure?', 'What is a promise?'],
    answers: ['A function with its scope.', 'A value that comes later.'],
  });

  const sets = { interviewSetId: interviewSet._id, practiceSetId: practiceSet._id };
  const answerQuestions = (as: Account) => takeSessions(as, { url, ask, ...sets });
  const belongings = {
    admin: await answerQuestions(accounts.admin),
    candidate: await answerQuestions(accounts.candidate),
    developer: await answerQuestions(accounts.developer),
    victim: await answerQuestions(accounts.victim),
  };

  const secretsOf = (user: User, readers: readonly Caller[]) => {
    const ids = [accounts[user].id, ...idsOf(belongings[user])];
    return ids.map((id) => [id, readers] as const);
  };
  const secrets = new Map<string, readonly Caller[]>([
    [secretAnswer, ['admin']],
    [accounts.victim.email, ['admin']],
    ...secretsOf('victim', ['admin']),
    ...secretsOf('admin', ['admin']),
    ...secretsOf('candidate', ['candidate', 'admin']),
    ...secretsOf('developer', ['developer', 'admin']),
  ]);

  const makers: Record<FreshKind, () => Promise<string>> = {
    user: async () => (await register()).id,
    technology: async () => {
      const body = { name: `Technology ${randomUUID()}` };
      return (await ask<{ technology: { id: string } }>(admin, 'POST', '/api/technologies', body)).technology.id;
    },
    'interview set': async () =>
      (await ask<{ interviewSet: { _id: string } }>(admin, 'POST', '/api/interviews/sets', setBody)).interviewSet._id,
    'practice set': async () => {
      const body = { ...setBody, answers: ['A function.'] };
      return (await ask<{ practiceSet: { _id: string } }>(admin, 'POST', '/api/practice', body)).practiceSet._id;
    },
    'reset token': async () => {
      const { email } = await register();
      await ask(null, 'POST', '/api/auth/forgot-password', { email });
      return mailedToken(stack.mailUrl ?? '', email);
    },
  };
  const linkTokens = new Map<string, string>();
  const noteLink = (link: string, opens: string) => {
    const token = new URL(link, url).searchParams.get('token') ?? '';
    linkTokens.set(token, opens);
    return token;
  };
  /** Shares a new interview of a user, so that ending the link doesn't affect other cases. */
  const shareOnce = async (user: User) => {
    const { _id, interviewId } = await answerOnce(accounts[user], { url, ...sets });
    const body = { role: 'review' };
    const target = `/api/sessions/${interviewId}/shares`;
    const made = await ask<{ share: { id: string }; token: string }>(accounts[user], 'POST', target, body);
    return { recordingId: _id, shareId: made.share.id, token: made.token };
  };
  const shared = new Map<User, ReturnType<typeof shareOnce>>();
  /** A user's link that is read and reviewed repeatedly. A review has to wait for the judge. */
  const sharedBy = (user: User) => {
    const share = shared.get(user) ?? shareOnce(user).then(untilJudged);
    shared.set(user, share);
    return share;
  };
  const untilJudged = (share: Awaited<ReturnType<typeof shareOnce>>) =>
    eventually('The verdict on a shared answer', async () => {
      const { token } = share;
      const { recordings } = await ask<SharedInterview>(null, 'POST', '/api/shared', { token });
      return recordings.some(({ assessment }) => assessment.status === 'pending') ? null : share;
    });
  const ownMakers: Record<OwnKind, (user: User) => Promise<string>> = {
    'media token': async (user) => {
      const [recordingId = ''] = belongings[user].recordingIds;
      const target = `/api/interviews/${belongings[user].interviewIds[0]}`;
      const detail = await ask<{ recordings: { _id: string; audioUrl: string }[] }>(accounts[user], 'GET', target);
      return noteLink(detail.recordings.find(({ _id }) => _id === recordingId)?.audioUrl ?? '', recordingId);
    },
    'export cookie': async (user) => {
      const headers = { ...json, ...bearer(accounts[user]) };
      const response = await fetch(`${url}/api/recordings/export`, { method: 'POST', headers, body: '{}' });
      const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      linkTokens.set(cookie, accounts[user].id);
      return cookie;
    },
    'own recording': async (user) => (await answerOnce(accounts[user], { url, ...sets }))._id,
    // A separate sign-in, not the one that the cases use.
    'own sign-in': async (user) => {
      const { token } = await signIn(accounts[user].email, accounts[user].password);
      return (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }).jti;
    },
    'own upload': async (user) => {
      const body = { kind: 'interview', setId: interviewSet._id, sessionId: randomUUID(), questionId: 0 };
      const made = await ask<{ upload: { id: string } }>(accounts[user], 'PUT', `/api/uploads/${randomUUID()}`, body);
      return made.upload.id;
    },
    'own session': async (user) => (await answerOnce(accounts[user], { url, ...sets })).interviewId,
    'own share': async (user) => (await shareOnce(user)).shareId,
    'share token': async (user) => (await sharedBy(user)).token,
    'shared recording': async (user) => (await sharedBy(user)).recordingId,
  };
  const { technologies } = await ask<{ technologies: { slug: string }[] }>(null, 'GET', '/api/technologies');
  return {
    url,
    accounts,
    belongings,
    interviewSetIds: [interviewSet._id],
    practiceSetIds: [practiceSet._id],
    technologies: technologies.map(({ slug }) => slug),
    secrets,
    googleToken,
    ask,
    make: (kind) => makers[kind](),
    makeOwn: (kind, user) => ownMakers[kind](user),
    linkTokens,
    makeAccount: async () => {
      const { email, password } = await register();
      return signIn(email, password);
    },
  };
}
