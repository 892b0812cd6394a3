import { randomUUID } from 'node:crypto';
import type { routes } from '@interview-prep/contracts/api/routes';
import type { Caller, Row, World } from './role-world.ts';
import { uploadForm } from './running-product.ts';

/** The status for everyone, with or without a token. */
const everyone = (status: number) => `${status} `.repeat(7).trim();
/** The status for everyone with a valid token. */
const signedIn = (status: number) => `401 401 ${`${status} `.repeat(5)}`.trim();
const admins = (status: number) => `401 401 403 403 ${status} 403 403`;
/** Only for the owner: it is hidden even from admins. */
const owner = (status: number) => `401 401 404 404 404 ${status} 404`;
/** For coaches of the group and admins; its members get 403. */
const coaches = (status: number) => `401 401 403 404 ${status} ${status} 404`;

const noId = '0'.repeat(24);

const at = (path: string, body?: unknown) => () => ({ path, ...(body === undefined ? {} : { body }) });

/** Builds calls on one resource from the rest of the path and the body. */
function on(pathOf: (world: World, caller: Caller) => string | Promise<string>) {
  return (rest = '', body?: unknown): Row[1] =>
    async (world, caller) =>
      at(`/api/${await pathOf(world, caller)}${rest}`, body)();
}
// Admins get a new user, since their calls succeed.
async function userPath({ product, users }: World, caller: Caller): Promise<string> {
  const { id } =
    caller === 'admin' ? await product.newCandidate() : caller === 'others' ? users.stranger : users.others;
  return `users/${id}`;
}
async function practiceSetId({ product, practiceSet }: World, caller: Caller): Promise<string> {
  return (caller === 'admin' ? await product.practiceSet() : practiceSet)._id;
}
const ofUser = on(userPath);
const ofTechnology = on(
  async ({ product, technology }, caller) =>
    `technologies/${(caller === 'admin' ? await product.technology() : technology).id}`,
);
const ofInterviewSet = on(
  async ({ product, interviewSet }, caller) =>
    `interviews/sets/${(caller === 'admin' ? await product.interviewSet() : interviewSet)._id}`,
);
const ofPracticeSet = on(async (world, caller) => `practice/${await practiceSetId(world, caller)}`);
const ofUpload = on(({ uploadId }) => `uploads/${uploadId}`);
const ofRecording = on(({ interview }) => `recordings/${interview.recordingId}`);
const ofSession = on(({ interview }) => `sessions/${interview.interviewId}`);
const ofInterview = on(({ interview }) => `interviews/${interview.interviewId}`);
const ofGroup = on(({ groupId }) => `groups/${groupId}`);
const ofAssignment = on(({ assignmentId }) => `assignments/${assignmentId}`);
const ofRoster = on(({ groupId, assignmentId }) => `rosters/${groupId}/${assignmentId}`);

const body = { title: 'Closures', technology: 'javascript', questions: ['What is a closure?'], tags: [] };
const practiceBody = { ...body, answers: ['A function with its scope.'] };
/** A failure reason that no answer has. */
const noAnswers = { stage: 'media', reason: 'No answer failed for this.' };
const trial = { question: 'What is a closure?', points: [{ text: 'A closure keeps the variables of its scope.' }] };

const assignmentTerms = {
  title: 'Week 1',
  opensAt: '2026-01-01T00:00:00.000Z',
  dueAt: null,
  timeZone: 'Europe/Berlin',
  takes: null,
  timeLimitSeconds: null,
  minimumScore: null,
  feedback: 'release',
  closesLate: false,
};

const ltiAddresses = {
  name: 'Moodle',
  authorizationUrl: 'https://127.0.0.1/auth',
  tokenUrl: 'https://127.0.0.1/token',
  keysUrl: 'https://127.0.0.1/keys',
  deploymentIds: ['1'],
};

/** A row for every route: a route without one does not compile. 200 stands for any success. */
export const matrix: Record<keyof typeof routes, Row> = {
  login: [everyone(401), at('/api/auth/login', { email: 'nobody@example.com', password: 'wrong-password' })],
  googleSignIn: [everyone(501), at('/api/auth/google', { accessToken: 'x' })],
  register: [
    admins(201),
    () => ({
      path: '/api/auth/register',
      body: {
        email: `${randomUUID()}@example.com`,
        password: 'long enough',
        role: 'admin',
        technologies: ['javascript'],
      },
    }),
  ],
  forgotPassword: [everyone(200), at('/api/auth/forgot-password', { email: 'nobody@example.com' })],
  resetPassword: [everyone(400), at('/api/auth/reset-password', { token: 'unknown', password: 'long enough' })],
  checkResetLink: [everyone(400), at('/api/auth/reset-password/check', { token: 'unknown' })],
  removeAccess: [everyone(400), at('/api/auth/reset-password/remove-access', { ticket: 'unknown' })],
  linksAfterReset: [everyone(400), at('/api/shares/after-reset', { ticket: 'unknown' })],
  changePassword: [
    signedIn(400),
    at('/api/auth/change-password', { currentPassword: 'wrong-password', newPassword: 'long enough' }),
  ],
  me: [signedIn(200), at('/api/auth/me')],
  draftKey: [signedIn(200), at('/api/auth/draft-key')],
  subscribe: [signedIn(200), at('/api/auth/subscribe', { plan: 'premium' })],
  chooseMails: [signedIn(200), at('/api/auth/mails', { reviewMail: false })],
  jwks: [everyone(200), at('/api/auth/.well-known/jwks.json')],
  searchAuditEntries: [admins(200), at('/api/audit/search', {})],
  exportAuditEntries: [admins(200), at('/api/audit/entries.csv', {})],
  newestUsers: [admins(200), at('/api/users/newest')],
  listUsers: [admins(200), at('/api/users')],
  updateUser: [
    '401 401 403 403 200 200 403',
    ({ users }) => ({ path: `/api/users/${users.owner.id}`, body: { technologies: ['javascript'] } }),
  ],
  deleteUser: [admins(204), ofUser()],

  // Refused before anything is deleted: the accounts are needed below.
  deleteAccount: [signedIn(400), at('/api/auth/delete-account', { password: 1 })],

  secondFactor: [everyone(401), at('/api/auth/second-factor', { challenge: 'unknown', code: '123456' })],
  stepUp: [signedIn(400), at('/api/auth/step-up', { password: 'wrong-password' })],
  accountSecurity: [signedIn(200), at('/api/auth/security')],
  beginTotp: [signedIn(200), at('/api/auth/totp')],
  // TOTP is not set up: an earlier step is missing, or the code is wrong.
  confirmTotp: [signedIn(400), at('/api/auth/totp/confirm', { code: '' })],
  removeTotp: [signedIn(204), at('/api/auth/totp')],
  renewRecoveryCodes: [signedIn(409), at('/api/auth/recovery-codes')],
  passkeySignInOptions: [everyone(200), at('/api/auth/passkey-sign-in/options')],
  passkeySignIn: [everyone(400), at('/api/auth/passkey-sign-in', {})],
  newPasskeyOptions: [signedIn(200), at('/api/auth/passkeys/options')],
  addPasskey: [signedIn(400), at('/api/auth/passkeys', {})],
  removePasskey: [signedIn(404), at('/api/auth/passkeys/unknown')],
  listSignIns: [signedIn(200), at('/api/auth/sign-ins')],
  endSignIn: [signedIn(404), at('/api/auth/sign-ins/unknown')],
  oidcSignIn: [everyone(200), at('/api/auth/oidc')],
  finishOidcSignIn: [everyone(401), at('/api/auth/oidc/finish', { attempt: 'x', state: 'x' })],
  linkOidc: [signedIn(200), at('/api/auth/oidc/link')],
  finishOidcLink: [signedIn(400), at('/api/auth/oidc/link/finish', { attempt: 'x', state: 'x' })],
  // Google sign-in is not configured.
  linkGoogle: [signedIn(501), at('/api/auth/google/link', { accessToken: 'x' })],
  unlinkIdentity: [signedIn(404), at('/api/auth/identities/oidc')],
  changeRole: [admins(200), ofUser('/role', { role: 'dev' })],
  createUser: [
    admins(201),
    () => ({ path: '/api/users', body: { email: `${randomUUID()}@example.com`, role: 'others' } }),
  ],
  importUsers: [admins(200), at('/api/users/import', { people: [{ email: 'ivy@example.com' }] })],
  suspendUser: [admins(200), ofUser('/suspension', { suspended: true })],
  changeName: [admins(200), ofUser('/name', { name: 'Ada' })],
  changeEmail: [
    admins(200),
    (world, caller) => ofUser('/email', { email: `${randomUUID()}@example.com` })(world, caller),
  ],
  sendPasswordLink: [admins(200), ofUser('/password-link')],
  endSignIns: [admins(204), ofUser('/sign-ins')],
  resetSecondFactor: [admins(204), ofUser('/second-factor')],

  listTechnologies: [everyone(200), at('/api/technologies')],
  createTechnology: [admins(201), () => ({ path: '/api/technologies', body: { name: randomUUID() } })],
  updateTechnology: [admins(200), (world, caller) => ofTechnology('', { name: randomUUID() })(world, caller)],
  deleteTechnology: [admins(204), ofTechnology()],
  listInterviewSets: [signedIn(200), at('/api/interviews/sets')],
  getInterviewSet: [signedIn(200), ofInterviewSet()],
  changeInterviewSetStatus: [admins(200), ofInterviewSet('/status', { status: 'published' })],
  createInterviewSet: [admins(201), at('/api/interviews/sets', body)],
  updateInterviewSet: [admins(200), ofInterviewSet('', body)],
  deleteInterviewSet: [admins(204), ofInterviewSet()],
  listPracticeSets: [signedIn(200), at('/api/practice')],
  getPracticeSet: [signedIn(200), ofPracticeSet()],
  changePracticeSetStatus: [admins(200), ofPracticeSet('/status', { status: 'published' })],
  createPracticeSet: [admins(201), at('/api/practice', practiceBody)],
  updatePracticeSet: [admins(200), ofPracticeSet('', practiceBody)],
  deletePracticeSet: [
    admins(204),
    async (world, caller) => ({ path: `/api/practices/sets/${await practiceSetId(world, caller)}` }),
  ],
  deletePracticeSetByItsPath: [admins(204), ofPracticeSet()],

  // To the owner's session.
  uploadInterviewRecording: [
    '401 401 403 403 403 201 403',
    ({ product, interview, interviewSet }) => ({
      path: '/api/interviews/recordings',
      body: uploadForm('audio', product.recording(), {
        sessionId: interview.sessionId,
        questionId: '0',
        interviewSetId: interviewSet._id,
      }),
    }),
  ],
  uploadPracticeRecording: [
    '401 401 403 403 403 201 403',
    ({ product, practice, practiceSet }) => ({
      path: '/api/practice/recordings',
      body: uploadForm('file', product.recording(), {
        sessionId: practice.sessionId,
        questionId: '0',
        practiceSetId: practiceSet._id,
      }),
    }),
  ],
  // The owner's upload, which is hidden from others.
  beginUpload: [
    owner(200),
    ({ interview, interviewSet, uploadId }) => ({
      path: `/api/uploads/${uploadId}`,
      body: { kind: 'interview', setId: interviewSet._id, sessionId: interview.sessionId, questionId: 0 },
    }),
  ],
  listUploads: [signedIn(200), at('/api/uploads')],
  getUpload: [owner(200), ofUpload()],
  sendPart: [owner(200), ofUpload('/parts/0', Buffer.from('the first part'))],
  // Parts are missing.
  completeUpload: [owner(409), ofUpload('/complete', { parts: 2 })],
  discardUpload: [owner(204), ofUpload()],
  // Media uses its own token or cookie.
  media: [everyone(401), ({ interview }) => ({ path: `/api/media/${interview.recordingId}` })],
  events: [signedIn(200), at('/api/events')],
  engines: [admins(200), at('/api/recordings/engines')],
  // There is nothing to reprocess: permitted callers get 409, others 404.
  reprocess: ['401 401 404 404 409|202 409|202 404', ofRecording('/reprocess')],

  // Only by the owner: admins may read but not change a transcript. 409 while it is being processed.
  correctTranscript: ['401 401 404 404 403 202|409 404', ofRecording('/transcript', { text: 'What was really said.' })],
  claimPoint: ['401 401 404 404 403 404|409 404', ofRecording('/points/0/claim', { firstWord: 0, lastWord: 0 })],

  // 409: still being processed, or already appealed.
  appeal: ['401 401 404 404 404 201|409 404', ofRecording('/appeal', { reason: 'It is right.' })],
  review: [
    '401 401 404 404 200|409 403 404',
    ofRecording('/review', { correctnessPercentage: 80, reason: 'Well said.' }),
  ],
  overview: [admins(200), at('/api/recordings/overview')],
  reviewQueue: [
    '401 401 403 403 200 200 404',
    ({ groupId }) => ({ path: `/api/recordings/review-queue?groupId=${groupId}` }),
  ],
  listSnippets: [signedIn(200), at('/api/review-snippets')],
  addSnippet: [signedIn(201), at('/api/review-snippets', { name: 'Scope', text: 'Say what it closes over.' })],
  updateSnippet: [
    signedIn(404),
    at(`/api/review-snippets/${noId}`, { name: 'Scope', text: 'Say what it closes over.' }),
  ],
  deleteSnippet: [signedIn(404), at(`/api/review-snippets/${noId}`)],
  tryPoints: [admins(200), at('/api/recordings/trials', { ...trial, answer: 'It keeps the variables of its scope.' })],
  checkPoints: [admins(200), at('/api/recordings/trials/question-check', trial)],
  listEarlierAnswers: [
    admins(200),
    ({ interviewSet }) => ({
      path: '/api/recordings/trials/earlier-answers',
      body: { setId: interviewSet._id, question: body.questions[0] },
    }),
  ],
  listQueues: [admins(200), at('/api/recordings/queues')],
  listQueuedAnswers: [admins(200), at('/api/recordings/queues/answers', noAnswers)],
  retryAnswers: [admins(200), at('/api/recordings/queues/retry', noAnswers)],
  giveUpAnswers: [admins(200), at('/api/recordings/queues/give-up', noAnswers)],
  reviewAgreement: [admins(200), at('/api/recordings/agreement')],
  readCalibration: [admins(200), at('/api/recordings/calibration')],
  calibrate: [admins(200), at('/api/recordings/calibration')],

  // Only the owner can share, not even an admin.
  createShare: [owner(201), ofSession('/shares', { role: 'read', days: 1 })],
  listShares: [owner(200), ofSession('/shares')],
  listFollowUps: [owner(200), ofSession('/follow-ups')],
  listAllShares: [admins(200), at('/api/shares')],
  // Would also revoke links of browser tests; covered by recording's own tests.
  revokeAllShares: ['401 401 403 403 - 403 403', at('/api/shares')],
  revokeShare: [signedIn(404), at(`/api/shares/${noId}`)],
  // The link has its own token.
  readShare: [everyone(404), at('/api/shared', { token: 'unknown' })],
  reviewShared: [
    everyone(404),
    at(`/api/shared/recordings/${noId}/review`, { token: 'unknown', reason: 'Well said.' }),
  ],

  // Unknown ids: owners and admins are covered by recording's tests.
  deleteAnswer: [signedIn(404), at(`/api/recordings/${noId}`)],
  deleteSession: [signedIn(404), at(`/api/sessions/${noId}`)],

  requestDataExport: [
    '401 401 403 403 200 200 403',
    ({ users }) => ({ path: '/api/recordings/export', body: { userId: users.owner.id } }),
  ],
  accountData: [
    '401 401 403 403 200 200 403',
    ({ users }) => ({ path: `/api/auth/account-data?userId=${users.owner.id}` }),
  ],
  // The link has its own cookie.
  downloadDataExport: [everyone(401), ({ users }) => ({ path: `/api/recordings/export/${users.owner.id}` })],

  interviewHistory: [signedIn(200), at('/api/interviews/history')],
  interviewGroups: ['401 401 200 403 200 200 200', at('/api/interviews/history/groups?by=email')],
  searchInterviewHistory: [signedIn(200), at('/api/interviews/history/search', { email: 'x' })],
  searchInterviewGroups: ['401 401 200 403 200 200 200', at('/api/interviews/history/groups/search', { by: 'email' })],
  interviewDetail: ['401 401 404 404 200 200 404', ofInterview()],
  questionTakes: ['401 401 404 404 200 200 404', ofInterview('/questions/0/takes')],
  progress: [signedIn(200), at('/api/progress?timeZone=Europe/Berlin')],
  reviews: [signedIn(200), at('/api/reviews')],
  practiceHistory: [signedIn(200), at('/api/practice/history')],
  practiceGroups: ['401 401 200 403 200 200 200', at('/api/practice/history/groups?by=email')],
  searchPracticeHistory: [signedIn(200), at('/api/practice/history/search', { email: 'x' })],
  searchPracticeGroups: ['401 401 200 403 200 200 200', at('/api/practice/history/groups/search', { by: 'email' })],
  practiceDetail: [
    '401 401 404 404 200 200 404',
    ({ practice }) => ({ path: `/api/practice/details/${practice.practiceId}` }),
  ],

  // `others` is a member, `owner` coaches the group, `stranger` another one.
  listGroups: [signedIn(200), at('/api/groups')],
  createGroup: [admins(201), at('/api/groups', { name: 'Class of 2027' })],
  getGroup: ['401 401 200 404 200 200 404', ofGroup()],
  updateGroup: [coaches(200), ofGroup('', { name: 'Class of 2027', archived: false })],
  setGroupRole: [
    coaches(200),
    ({ groupId, users }) => ({ path: `/api/groups/${groupId}/people/${users.others.id}`, body: { role: 'member' } }),
  ],
  leaveGroup: [coaches(404), ({ groupId }) => ({ path: `/api/groups/${groupId}/people/${noId}` })],
  invite: [
    coaches(200),
    ({ groupId }) => ({
      path: `/api/groups/${groupId}/invitations`,
      body: { people: [{ email: `${randomUUID()}@example.com` }] },
    }),
  ],
  messageGroup: [
    coaches(200),
    ({ groupId, users }) => ({
      path: `/api/groups/${groupId}/messages`,
      body: { userIds: [users.others.id], subject: 'Next week', text: 'We meet on Monday.' },
    }),
  ],
  revokeInvitation: [coaches(404), ({ groupId }) => ({ path: `/api/groups/${groupId}/invitations/${noId}` })],
  openJoinCode: [
    coaches(200),
    ofGroup('/join-code', { seats: 3, expiresAt: new Date(Date.now() + 3_600_000).toISOString() }),
  ],
  closeJoinCode: [coaches(204), ofGroup('/join-code')],
  listAssignments: [coaches(200), ({ groupId }) => ({ path: `/api/assignments?groupId=${groupId}` })],
  createAssignment: [
    coaches(201),
    ({ groupId, interviewSet }) => ({
      path: '/api/assignments',
      body: { ...assignmentTerms, groupId, sets: [{ kind: 'interview', setId: interviewSet._id }], memberIds: null },
    }),
  ],
  updateAssignment: [coaches(200), ofAssignment('', assignmentTerms)],
  releaseFeedback: [coaches(200), ofAssignment('/release')],
  extendAssignment: [
    coaches(409),
    ({ assignmentId, users }) => ({
      path: `/api/assignments/${assignmentId}/extensions`,
      body: { userIds: [users.others.id], dueAt: '2099-01-01T00:00:00.000Z' },
    }),
  ],
  remindMembers: [
    coaches(200),
    ({ assignmentId, users }) => ({
      path: `/api/assignments/${assignmentId}/reminders`,
      body: { userIds: [users.others.id] },
    }),
  ],
  deleteAssignment: [signedIn(404), at(`/api/assignments/${noId}`)],
  listApiKeys: [signedIn(200), at('/api/auth/api-keys')],
  createApiKey: [
    '401 401 403 403 201 201 201',
    at('/api/auth/api-keys', { name: 'Reports', scopes: ['results:read'], days: 1 }),
  ],
  revokeApiKey: [signedIn(404), at(`/api/auth/api-keys/${noId}`)],
  exchangeApiKey: [everyone(401), at('/api/auth/api-keys/token', { key: 'unknown' })],
  listWebhooks: [signedIn(200), at('/api/auth/webhooks')],
  // The private address is rejected after the caller's role is checked.
  createWebhook: [
    '401 401 403 403 400 400 400',
    at('/api/auth/webhooks', { url: 'https://127.0.0.1/', events: ['answer.judged'] }),
  ],
  deleteWebhook: [signedIn(404), at(`/api/auth/webhooks/${noId}`)],
  listDeliveries: [signedIn(404), at(`/api/auth/webhooks/${noId}/deliveries`)],
  redeliver: [signedIn(404), at(`/api/auth/webhooks/${noId}/deliveries/${noId}`)],
  ltiKeys: [everyone(200), at('/api/auth/lti/keys')],
  beginLtiLogin: [everyone(400), at('/api/auth/lti/login', { iss: 'x' })],
  openLtiLogin: [
    everyone(404),
    at('/api/auth/lti/login?iss=https://moodle.example.com&login_hint=1&target_link_uri=https://example.com'),
  ],
  ltiLaunch: [everyone(401), at('/api/auth/lti/launch', { state: 'x' })],
  finishLtiLaunch: [everyone(401), at('/api/auth/lti/finish', { attempt: 'x' })],
  linkLti: [signedIn(409), at('/api/auth/lti/link', { attempt: 'x' })],
  chooseLtiContent: [signedIn(403), at('/api/auth/lti/choose', { attempt: 'x', assignmentId: noId, title: 'Week 1' })],
  returnLtiContent: [everyone(204), at('/api/auth/lti/return')],
  listLtiPlatforms: [admins(200), at('/api/auth/lti/platforms')],
  // The private address is rejected after the caller's role is checked.
  createLtiPlatform: [
    admins(400),
    at('/api/auth/lti/platforms', { ...ltiAddresses, issuer: 'https://127.0.0.1', clientId: 'x' }),
  ],
  updateLtiPlatform: [admins(404), at(`/api/auth/lti/platforms/${noId}`, ltiAddresses)],
  deleteLtiPlatform: [admins(404), at(`/api/auth/lti/platforms/${noId}`)],
  listLtiCourses: [signedIn(200), at('/api/auth/lti/courses')],
  updateLtiMembers: [signedIn(404), at(`/api/auth/lti/courses/${noId}/members`)],
  listLtiScores: [signedIn(404), at(`/api/auth/lti/courses/${noId}/scores`)],
  resendLtiScore: [signedIn(404), at(`/api/auth/lti/courses/${noId}/scores/${noId}`)],
  getCalendar: [signedIn(200), at('/api/calendar')],
  createCalendar: [signedIn(201), at('/api/calendar')],
  deleteCalendar: [signedIn(204), at('/api/calendar')],
  calendarFeed: [everyone(404), at('/api/calendar/feed.ics?token=unknown')],
  roster: [coaches(200), ofRoster()],
  memberReport: [
    coaches(200),
    ({ groupId, assignmentId, users }) => ({
      path: `/api/rosters/${groupId}/${assignmentId}/members/${users.others.id}`,
    }),
  ],
  overruled: [coaches(200), on(({ groupId }) => `rosters/${groupId}`)()],
  rosterQuestions: [coaches(200), ofRoster('/questions')],
  // An unknown token.
  previewGroup: [everyone(400), at('/api/groups/preview', { token: 'unknown' })],
  joinGroup: [signedIn(400), at('/api/groups/join', { code: 'unknown' })],
  acceptInvitation: [everyone(400), at('/api/groups/accept', { token: 'unknown', password: 'long enough' })],
  requestInvitation: [
    everyone(400),
    at('/api/groups/request-invitation', { code: 'unknown', email: 'nobody@example.com' }),
  ],

  health: [everyone(200), at('/api/health')],
  componentHealth: [everyone(200), at('/api/health/recording')],
  settings: [everyone(200), at('/api/settings')],
  openapi: [everyone(200), at('/api/openapi.json')],

  // Last, since they end sign-ins: first the product admin's, then the callers'.
  endOtherSignIns: [signedIn(204), at('/api/auth/sign-ins')],
  logout: [signedIn(204), at('/api/auth/logout')],
};
