import { describe, expect, test } from 'vitest';
import { allRoutes } from '../src/api/routes.ts';

const longText = 'x'.repeat(100_001);

const terms = {
  title: 'Week 1',
  opensAt: '2027-01-01T00:00:00.000Z',
  dueAt: null,
  timeZone: 'Europe/Berlin',
  takes: 3,
  timeLimitSeconds: null,
  minimumScore: null,
  feedback: 'at-once',
  closesLate: false,
};

/** A valid body for each JSON route; a route without one fails the test. */
const bodies: Record<string, Record<string, unknown>> = {
  login: { email: 'a@example.com', password: 'secret' },
  googleSignIn: { accessToken: 'ya29.x' },
  linkGoogle: { accessToken: 'ya29.x' },
  finishOidcSignIn: { attempt: 'abc', state: 'abc', code: 'abc', iss: 'https://login.example.com', error: 'x' },
  finishOidcLink: { attempt: 'abc', state: 'abc', code: 'abc', iss: 'https://login.example.com', error: 'x' },
  register: { email: 'a@example.com', password: 'long enough', technologies: ['go'] },
  forgotPassword: { email: 'a@example.com' },
  checkResetLink: { token: 'abc' },
  resetPassword: { token: 'abc', password: 'long enough' },
  removeAccess: { ticket: 'abc' },
  linksAfterReset: { ticket: 'abc' },
  changePassword: { currentPassword: 'secret', newPassword: 'long enough' },
  deleteAccount: { password: 'secret' },
  secondFactor: { challenge: 'abc', code: '123456' },
  stepUp: { password: 'secret', code: '123456' },
  createUser: { email: 'a@example.com', role: 'dev', technologies: ['go'] },
  importUsers: { people: [{ email: 'a@example.com', role: 'dev' }], invite: true },
  changeName: { name: 'Ada' },
  changeEmail: { email: 'a@example.com' },
  suspendUser: { suspended: true },
  changeRole: { role: 'admin' },
  passkeySignIn: {
    passkey: {
      id: 'YQ',
      rawId: 'YQ',
      type: 'public-key',
      response: { clientDataJSON: 'YQ', authenticatorData: 'YQ', signature: 'YQ' },
      clientExtensionResults: {},
    },
  },
  addPasskey: {
    passkey: {
      id: 'YQ',
      rawId: 'YQ',
      type: 'public-key',
      response: { clientDataJSON: 'YQ', attestationObject: 'YQ' },
      clientExtensionResults: {},
    },
  },
  confirmTotp: { code: '123456' },
  requestDataExport: { userId: '0123456789abcdef01234567' },
  searchAuditEntries: { person: 'a@example.com', action: 'sign-in', limit: 3, before: 7 },
  exportAuditEntries: { person: 'a@example.com' },
  searchInterviewHistory: { email: 'a@example.com', technology: 'Go', limit: 3, cursor: 'x' },
  searchInterviewGroups: { by: 'email', email: 'a@example.com' },
  searchPracticeHistory: { email: 'a@example.com', technology: 'Go', limit: 3, cursor: 'x' },
  searchPracticeGroups: { by: 'email', email: 'a@example.com' },
  subscribe: { plan: 'premium' },
  chooseMails: { reviewMail: true },
  updateUser: { technologies: ['go', 'sql'] },
  createTechnology: { name: 'Go' },
  updateTechnology: { name: 'Go' },
  createInterviewSet: { title: 'T', technology: 'go', questions: ['Why?'], tags: ['a'], expertAnswers: ['So'] },
  updateInterviewSet: { title: 'T', technology: 'go', questions: ['Why?'], tags: ['a'], expertAnswers: ['So'] },
  changeInterviewSetStatus: { status: 'draft' },
  changePracticeSetStatus: { status: 'archived' },
  createPracticeSet: { title: 'T', technology: 'go', questions: ['Why?'], answers: ['So'], tags: ['a'] },
  createGroup: { name: 'Class of 2027' },
  updateGroup: { name: 'Class of 2027', archived: false },
  setGroupRole: { role: 'coach' },
  invite: { people: [{ email: 'a@example.com', name: 'Ada' }] },
  createApiKey: { name: 'Reports', scopes: ['results:read'], days: 90 },
  finishLtiLaunch: { attempt: 'abc' },
  linkLti: { attempt: 'abc' },
  chooseLtiContent: { attempt: 'abc', assignmentId: '0123456789abcdef01234567', title: 'Week 1' },
  createLtiPlatform: {
    name: 'Moodle',
    issuer: 'https://moodle.example.com',
    clientId: 'abc',
    authorizationUrl: 'https://moodle.example.com/mod/lti/auth.php',
    tokenUrl: 'https://moodle.example.com/mod/lti/token.php',
    keysUrl: 'https://moodle.example.com/mod/lti/certs.php',
    deploymentIds: ['1'],
  },
  updateLtiPlatform: {
    name: 'Moodle',
    authorizationUrl: 'https://moodle.example.com/mod/lti/auth.php',
    tokenUrl: 'https://moodle.example.com/mod/lti/token.php',
    keysUrl: 'https://moodle.example.com/mod/lti/certs.php',
    deploymentIds: ['1'],
  },
  createWebhook: { url: 'https://example.com/hook', events: ['answer.judged'] },
  exchangeApiKey: { key: 'ipp_abc' },
  openJoinCode: { seats: 3, expiresAt: '2027-01-01T00:00:00.000Z' },
  previewGroup: { token: 'abc' },
  joinGroup: { code: 'abc' },
  acceptInvitation: { token: 'abc', name: 'Ada', password: 'long enough' },
  requestInvitation: { code: 'abc', email: 'a@example.com' },
  createAssignment: {
    ...terms,
    groupId: '0123456789abcdef01234567',
    sets: [{ kind: 'interview', setId: '0123456789abcdef01234567' }],
    memberIds: ['0123456789abcdef01234567'],
  },
  updateAssignment: terms,
  correctTranscript: { text: 'It keeps its scope.' },
  claimPoint: { firstWord: 0, lastWord: 3 },
  appeal: { reason: 'I said it in other words.' },
  addSnippet: { name: 'Scope', text: 'Say what it closes over.' },
  updateSnippet: { name: 'Scope', text: 'Say what it closes over.' },
  extendAssignment: { userIds: ['0123456789abcdef01234567'], dueAt: null },
  remindMembers: { userIds: ['0123456789abcdef01234567'] },
  messageGroup: { userIds: ['0123456789abcdef01234567'], subject: 'Thursday', text: 'We meet at ten.' },
  review: { reason: 'All said.', points: [{ point: 0, state: 'covered' }], comments: [{ atMs: 0, text: 'Here.' }] },
  listQueuedAnswers: { stage: 'media', reason: 'No sound' },
  retryAnswers: { stage: 'media', reason: 'No sound', recordingId: '0123456789abcdef01234567' },
  giveUpAnswers: { stage: 'media', reason: 'No sound', recordingId: '0123456789abcdef01234567' },
  tryPoints: { question: 'Why?', points: [{ text: 'So.' }], answer: 'so' },
  checkPoints: { question: 'Why?', points: [{ text: 'So.' }] },
  listEarlierAnswers: { setId: '0123456789abcdef01234567', question: 'Why?' },
  createShare: { role: 'read', days: 7 },
  beginUpload: {
    kind: 'interview',
    setId: '0123456789abcdef01234567',
    sessionId: '0b0b7a9e-3c55-4a3e-9d3c-0d8b3a1f2c4d',
    questionId: 0,
  },
  completeUpload: { parts: 3 },
  readShare: { token: 'abc' },
  reviewShared: { token: 'abc', reason: 'All said.', comments: [{ atMs: 0, text: 'Here.' }] },
  updatePracticeSet: { title: 'T', technology: 'go', questions: ['Why?'], answers: ['So'], tags: ['a'] },
};

/** Values that every string field must reject. */
const badValues: readonly unknown[] = [
  { $gt: '' },
  { $ne: null },
  { $regex: '.*' },
  { $where: 'sleep(1000)' },
  ['a'],
  null,
  7,
  true,
  longText,
];

/** Fields that may be blank: a missing expert answer, a name to remove. */
const mayBeBlank = new Set([
  'expertAnswers.0',
  'tags.0',
  'changeName name',
  'invite people.0.name',
  'acceptInvitation name',
]);

/** Every string in a body: its dotted path, and the body with a replaced value. */
function* strings(value: unknown, path: string[] = []): Generator<{ path: string; put: (other: unknown) => unknown }> {
  if (typeof value === 'string') {
    yield { path: path.join('.'), put: (other) => other };
    return;
  }
  if (value === null) return;
  for (const [key, inner] of Object.entries(value as object)) {
    for (const found of strings(inner, [...path, key])) {
      const put = (other: unknown) =>
        Array.isArray(value)
          ? value.map((one, index) => (String(index) === key ? found.put(other) : one))
          : { ...(value as object), [key]: found.put(other) };
      yield { path: found.path, put };
    }
  }
}

/** Routes whose fields are all optional, with a body that is invalid. */
const withoutRequired: Record<string, object> = {
  deleteAccount: { password: 7 },
  stepUp: { password: 7 },
  requestDataExport: { userId: 'x' },
  createShare: { days: 0 },
  searchAuditEntries: { person: 7 },
  exportAuditEntries: { person: 7 },
  searchInterviewHistory: { email: 7 },
  searchInterviewGroups: { by: 'email', email: 7 },
  searchPracticeHistory: { email: 7 },
  searchPracticeGroups: { by: 'email', email: 7 },
};

const jsonRoutes = allRoutes.filter(([, route]) => route.accepts === 'json');

test('each JSON route has an example body here', () => {
  expect(Object.keys(bodies).sort()).toEqual(jsonRoutes.map(([name]) => name).sort());
});

describe.each(jsonRoutes)('%s', (name, route) => {
  const good = bodies[name] ?? {};

  test('accepts its body, and drops unknown fields', () => {
    expect(route.body.parse({ role: 'admin', ...good, $set: { role: 'admin' } })).not.toHaveProperty('$set');
    expect(route.body.parse({ ...good, isAdmin: true })).not.toHaveProperty('isAdmin');
  });

  test.each([[null], ['text'], [[]], [7]])('rejects %j as a body', (body) => {
    expect(route.body.safeParse(body).success).toBe(false);
  });

  test.each([...strings(good)])('accepts only text of a valid length in $path', ({ path, put }) => {
    for (const bad of mayBeBlank.has(path) || mayBeBlank.has(`${name} ${path}`)
      ? badValues
      : [...badValues, '', '  \n ']) {
      // A password may be any characters.
      if (typeof bad === 'string' && bad.trim() === '' && bad !== '' && /password/i.test(path)) continue;
      if (typeof bad === 'string' && bad.trim() === '' && bad !== '' && /token/i.test(path)) continue;
      expect(route.body.safeParse(put(bad)).success, `${path} = ${JSON.stringify(bad).slice(0, 40)}`).toBe(false);
    }
  });

  test('names every invalid field, with a readable message', () => {
    const { error } = route.body.safeParse(withoutRequired[name] ?? {});
    expect(error?.issues.length).toBeGreaterThan(0);
    for (const issue of error?.issues ?? []) {
      expect(issue.path.join('.')).not.toBe('');
      expect(issue.message).toMatch(/^[A-Z]/);
      expect(issue.message).not.toMatch(/^Invalid input|^Too (small|big)/);
    }
  });
});
