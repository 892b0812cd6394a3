import { randomUUID } from 'node:crypto';
import type { routes } from '@interview-prep/contracts/api/routes';
import type { Caller, Row, World } from './role-world.ts';
import { uploadForm } from './running-product.ts';

/** The id of a user whom only an admin may change: a new one for the admin, who does. */
async function otherUserId({ product, users }: World, caller: Caller): Promise<string> {
  if (caller === 'admin') return (await product.newCandidate()).id;
  return caller === 'others' ? users.stranger.id : users.others.id;
}

/** The id of something that only an admin may change: a new one for the admin, who does. */
async function setId({ product, interviewSet }: World, caller: Caller): Promise<string> {
  return (caller === 'admin' ? await product.interviewSet() : interviewSet)._id;
}
async function practiceSetId({ product, practiceSet }: World, caller: Caller): Promise<string> {
  return (caller === 'admin' ? await product.practiceSet() : practiceSet)._id;
}
async function technologyId({ product, technology }: World, caller: Caller): Promise<string> {
  return (caller === 'admin' ? await product.technology() : technology).id;
}

const at = (path: string, body?: unknown) => () => ({ path, ...(body === undefined ? {} : { body }) });
const body = { title: 'Closures', technology: 'javascript', questions: ['What is a closure?'], tags: [] };
const practiceBody = { ...body, answers: ['A function with its scope.'] };
/** A kind of failure that no answer has. */
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
  login: [
    '401 401 401 401 401 401 401',
    at('/api/auth/login', { email: 'nobody@example.com', password: 'wrong-password' }),
  ],
  googleSignIn: ['501 501 501 501 501 501 501', at('/api/auth/google', { accessToken: 'x' })],
  register: [
    '401 401 403 403 201 403 403',
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
  forgotPassword: ['200 200 200 200 200 200 200', at('/api/auth/forgot-password', { email: 'nobody@example.com' })],
  resetPassword: [
    '400 400 400 400 400 400 400',
    at('/api/auth/reset-password', { token: 'unknown', password: 'long enough' }),
  ],
  checkResetLink: ['400 400 400 400 400 400 400', at('/api/auth/reset-password/check', { token: 'unknown' })],
  removeAccess: ['400 400 400 400 400 400 400', at('/api/auth/reset-password/remove-access', { ticket: 'unknown' })],
  linksAfterReset: ['400 400 400 400 400 400 400', at('/api/shares/after-reset', { ticket: 'unknown' })],
  changePassword: [
    '401 401 400 400 400 400 400',
    at('/api/auth/change-password', { currentPassword: 'wrong-password', newPassword: 'long enough' }),
  ],
  me: ['401 401 200 200 200 200 200', at('/api/auth/me')],
  draftKey: ['401 401 200 200 200 200 200', at('/api/auth/draft-key')],
  subscribe: ['401 401 200 200 200 200 200', at('/api/auth/subscribe', { plan: 'premium' })],
  chooseMails: ['401 401 200 200 200 200 200', at('/api/auth/mails', { reviewMail: false })],
  jwks: ['200 200 200 200 200 200 200', at('/api/auth/.well-known/jwks.json')],
  searchAuditEntries: ['401 401 403 403 200 403 403', at('/api/audit/search', {})],
  exportAuditEntries: ['401 401 403 403 200 403 403', at('/api/audit/entries.csv', {})],
  newestUsers: ['401 401 403 403 200 403 403', at('/api/users/newest')],
  listUsers: ['401 401 403 403 200 403 403', at('/api/users')],
  updateUser: [
    '401 401 403 403 200 200 403',
    ({ users }) => ({ path: `/api/users/${users.owner.id}`, body: { technologies: ['javascript'] } }),
  ],
  deleteUser: [
    '401 401 403 403 204 403 403',
    async (world, caller) => ({ path: `/api/users/${await otherUserId(world, caller)}` }),
  ],

  // Refused before anything is deleted: the accounts are needed below.
  deleteAccount: ['401 401 400 400 400 400 400', at('/api/auth/delete-account', { password: 1 })],

  secondFactor: [
    '401 401 401 401 401 401 401',
    at('/api/auth/second-factor', { challenge: 'unknown', code: '123456' }),
  ],
  stepUp: ['401 401 400 400 400 400 400', at('/api/auth/step-up', { password: 'wrong-password' })],
  accountSecurity: ['401 401 200 200 200 200 200', at('/api/auth/security')],
  beginTotp: ['401 401 200 200 200 200 200', at('/api/auth/totp')],
  // The app is not set up: a step before is missing, or the code is wrong.
  confirmTotp: ['401 401 400 400 400 400 400', at('/api/auth/totp/confirm', { code: '' })],
  removeTotp: ['401 401 204 204 204 204 204', at('/api/auth/totp')],
  renewRecoveryCodes: ['401 401 409 409 409 409 409', at('/api/auth/recovery-codes')],
  passkeySignInOptions: ['200 200 200 200 200 200 200', at('/api/auth/passkey-sign-in/options')],
  passkeySignIn: ['400 400 400 400 400 400 400', at('/api/auth/passkey-sign-in', {})],
  newPasskeyOptions: ['401 401 200 200 200 200 200', at('/api/auth/passkeys/options')],
  addPasskey: ['401 401 400 400 400 400 400', at('/api/auth/passkeys', {})],
  removePasskey: ['401 401 404 404 404 404 404', at('/api/auth/passkeys/unknown')],
  listSignIns: ['401 401 200 200 200 200 200', at('/api/auth/sign-ins')],
  endSignIn: ['401 401 404 404 404 404 404', at('/api/auth/sign-ins/unknown')],
  oidcSignIn: ['200 200 200 200 200 200 200', at('/api/auth/oidc')],
  finishOidcSignIn: ['401 401 401 401 401 401 401', at('/api/auth/oidc/finish', { attempt: 'x', state: 'x' })],
  linkOidc: ['401 401 200 200 200 200 200', at('/api/auth/oidc/link')],
  finishOidcLink: ['401 401 400 400 400 400 400', at('/api/auth/oidc/link/finish', { attempt: 'x', state: 'x' })],
  // No sign-in by Google is set up.
  linkGoogle: ['401 401 501 501 501 501 501', at('/api/auth/google/link', { accessToken: 'x' })],
  unlinkIdentity: ['401 401 404 404 404 404 404', at('/api/auth/identities/oidc')],
  changeRole: [
    '401 401 403 403 200 403 403',
    async (world, caller) => ({ path: `/api/users/${await otherUserId(world, caller)}/role`, body: { role: 'dev' } }),
  ],
  createUser: [
    '401 401 403 403 201 403 403',
    () => ({ path: '/api/users', body: { email: `${randomUUID()}@example.com`, role: 'others' } }),
  ],
  importUsers: ['401 401 403 403 200 403 403', at('/api/users/import', { people: [{ email: 'ivy@example.com' }] })],
  suspendUser: [
    '401 401 403 403 200 403 403',
    async (world, caller) => ({
      path: `/api/users/${await otherUserId(world, caller)}/suspension`,
      body: { suspended: true },
    }),
  ],
  changeName: [
    '401 401 403 403 200 403 403',
    async (world, caller) => ({ path: `/api/users/${await otherUserId(world, caller)}/name`, body: { name: 'Ada' } }),
  ],
  changeEmail: [
    '401 401 403 403 200 403 403',
    async (world, caller) => ({
      path: `/api/users/${await otherUserId(world, caller)}/email`,
      body: { email: `${randomUUID()}@example.com` },
    }),
  ],
  sendPasswordLink: [
    '401 401 403 403 200 403 403',
    async (world, caller) => ({ path: `/api/users/${await otherUserId(world, caller)}/password-link` }),
  ],
  endSignIns: [
    '401 401 403 403 204 403 403',
    async (world, caller) => ({ path: `/api/users/${await otherUserId(world, caller)}/sign-ins` }),
  ],
  resetSecondFactor: [
    '401 401 403 403 204 403 403',
    async (world, caller) => ({ path: `/api/users/${await otherUserId(world, caller)}/second-factor` }),
  ],

  listTechnologies: ['200 200 200 200 200 200 200', at('/api/technologies')],
  createTechnology: [
    '401 401 403 403 201 403 403',
    () => ({ path: '/api/technologies', body: { name: randomUUID() } }),
  ],
  updateTechnology: [
    '401 401 403 403 200 403 403',
    async (world, caller) => ({
      path: `/api/technologies/${await technologyId(world, caller)}`,
      body: { name: randomUUID() },
    }),
  ],
  deleteTechnology: [
    '401 401 403 403 204 403 403',
    async (world, caller) => ({ path: `/api/technologies/${await technologyId(world, caller)}` }),
  ],
  listInterviewSets: ['401 401 200 200 200 200 200', at('/api/interviews/sets')],
  getInterviewSet: [
    '401 401 200 200 200 200 200',
    async (world, caller) => ({ path: `/api/interviews/sets/${await setId(world, caller)}` }),
  ],
  changeInterviewSetStatus: [
    '401 401 403 403 200 403 403',
    async (world, caller) => ({
      path: `/api/interviews/sets/${await setId(world, caller)}/status`,
      body: { status: 'published' },
    }),
  ],
  createInterviewSet: ['401 401 403 403 201 403 403', at('/api/interviews/sets', body)],
  updateInterviewSet: [
    '401 401 403 403 200 403 403',
    async (world, caller) => ({ path: `/api/interviews/sets/${await setId(world, caller)}`, body }),
  ],
  deleteInterviewSet: [
    '401 401 403 403 204 403 403',
    async (world, caller) => ({ path: `/api/interviews/sets/${await setId(world, caller)}` }),
  ],
  listPracticeSets: ['401 401 200 200 200 200 200', at('/api/practice')],
  getPracticeSet: [
    '401 401 200 200 200 200 200',
    async (world, caller) => ({ path: `/api/practice/${await practiceSetId(world, caller)}` }),
  ],
  changePracticeSetStatus: [
    '401 401 403 403 200 403 403',
    async (world, caller) => ({
      path: `/api/practice/${await practiceSetId(world, caller)}/status`,
      body: { status: 'published' },
    }),
  ],
  createPracticeSet: ['401 401 403 403 201 403 403', at('/api/practice', practiceBody)],
  updatePracticeSet: [
    '401 401 403 403 200 403 403',
    async (world, caller) => ({ path: `/api/practice/${await practiceSetId(world, caller)}`, body: practiceBody }),
  ],
  deletePracticeSet: [
    '401 401 403 403 204 403 403',
    async (world, caller) => ({ path: `/api/practices/sets/${await practiceSetId(world, caller)}` }),
  ],
  deletePracticeSetByItsPath: [
    '401 401 403 403 204 403 403',
    async (world, caller) => ({ path: `/api/practice/${await practiceSetId(world, caller)}` }),
  ],

  // Into the owner's session.
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
  // The owner's upload. Others do not learn of it.
  beginUpload: [
    '401 401 404 404 404 200 404',
    ({ interview, interviewSet, uploadId }) => ({
      path: `/api/uploads/${uploadId}`,
      body: { kind: 'interview', setId: interviewSet._id, sessionId: interview.sessionId, questionId: 0 },
    }),
  ],
  listUploads: ['401 401 200 200 200 200 200', at('/api/uploads')],
  getUpload: ['401 401 404 404 404 200 404', ({ uploadId }) => ({ path: `/api/uploads/${uploadId}` })],
  sendPart: [
    '401 401 404 404 404 200 404',
    ({ uploadId }) => ({ path: `/api/uploads/${uploadId}/parts/0`, body: Buffer.from('the first part') }),
  ],
  // Not all of it has arrived.
  completeUpload: [
    '401 401 404 404 404 409 404',
    ({ uploadId }) => ({ path: `/api/uploads/${uploadId}/complete`, body: { parts: 2 } }),
  ],
  discardUpload: ['401 401 404 404 404 204 404', ({ uploadId }) => ({ path: `/api/uploads/${uploadId}` })],
  // Media has a token or a cookie of its own.
  media: ['401 401 401 401 401 401 401', ({ interview }) => ({ path: `/api/media/${interview.recordingId}` })],
  events: ['401 401 200 200 200 200 200', at('/api/events')],
  engines: ['401 401 403 403 200 403 403', at('/api/recordings/engines')],
  // There is nothing to process again: who may ask gets 409, others 404.
  reprocess: [
    '401 401 404 404 409|202 409|202 404',
    ({ interview }) => ({ path: `/api/recordings/${interview.recordingId}/reprocess` }),
  ],

  // Only the owner's own words: an admin may read them, not change them. 409 while they are processed.
  correctTranscript: [
    '401 401 404 404 403 202|409 404',
    ({ interview }) => ({
      path: `/api/recordings/${interview.recordingId}/transcript`,
      body: { text: 'What was really said.' },
    }),
  ],
  claimPoint: [
    '401 401 404 404 403 404|409 404',
    ({ interview }) => ({
      path: `/api/recordings/${interview.recordingId}/points/0/claim`,
      body: { firstWord: 0, lastWord: 0 },
    }),
  ],

  // 409: still processed, or asked before.
  appeal: [
    '401 401 404 404 404 201|409 404',
    ({ interview }) => ({ path: `/api/recordings/${interview.recordingId}/appeal`, body: { reason: 'It is right.' } }),
  ],
  review: [
    '401 401 404 404 200|409 403 404',
    ({ interview }) => ({
      path: `/api/recordings/${interview.recordingId}/review`,
      body: { correctnessPercentage: 80, reason: 'Well said.' },
    }),
  ],
  overview: ['401 401 403 403 200 403 403', at('/api/recordings/overview')],
  reviewQueue: [
    '401 401 403 403 200 200 404',
    ({ groupId }) => ({ path: `/api/recordings/review-queue?groupId=${groupId}` }),
  ],
  listSnippets: ['401 401 200 200 200 200 200', at('/api/review-snippets')],
  addSnippet: [
    '401 401 201 201 201 201 201',
    at('/api/review-snippets', { name: 'Scope', text: 'Say what it closes over.' }),
  ],
  updateSnippet: [
    '401 401 404 404 404 404 404',
    at(`/api/review-snippets/${'0'.repeat(24)}`, { name: 'Scope', text: 'Say what it closes over.' }),
  ],
  deleteSnippet: ['401 401 404 404 404 404 404', at(`/api/review-snippets/${'0'.repeat(24)}`)],
  tryPoints: [
    '401 401 403 403 200 403 403',
    at('/api/recordings/trials', { ...trial, answer: 'It keeps the variables of its scope.' }),
  ],
  checkPoints: ['401 401 403 403 200 403 403', at('/api/recordings/trials/question-check', trial)],
  listEarlierAnswers: [
    '401 401 403 403 200 403 403',
    ({ interviewSet }) => ({
      path: '/api/recordings/trials/earlier-answers',
      body: { setId: interviewSet._id, question: body.questions[0] },
    }),
  ],
  listQueues: ['401 401 403 403 200 403 403', at('/api/recordings/queues')],
  listQueuedAnswers: ['401 401 403 403 200 403 403', at('/api/recordings/queues/answers', noAnswers)],
  retryAnswers: ['401 401 403 403 200 403 403', at('/api/recordings/queues/retry', noAnswers)],
  giveUpAnswers: ['401 401 403 403 200 403 403', at('/api/recordings/queues/give-up', noAnswers)],
  reviewAgreement: ['401 401 403 403 200 403 403', at('/api/recordings/agreement')],
  readCalibration: ['401 401 403 403 200 403 403', at('/api/recordings/calibration')],
  calibrate: ['401 401 403 403 200 403 403', at('/api/recordings/calibration')],

  // Only the owner shares, not even an admin for them.
  createShare: [
    '401 401 404 404 404 201 404',
    ({ interview }) => ({ path: `/api/sessions/${interview.interviewId}/shares`, body: { role: 'read', days: 1 } }),
  ],
  listShares: [
    '401 401 404 404 404 200 404',
    ({ interview }) => ({ path: `/api/sessions/${interview.interviewId}/shares` }),
  ],
  listFollowUps: [
    '401 401 404 404 404 200 404',
    ({ interview }) => ({ path: `/api/sessions/${interview.interviewId}/follow-ups` }),
  ],
  listAllShares: ['401 401 403 403 200 403 403', at('/api/shares')],
  // Links of browser tests would go too: recording's own tests revoke all.
  revokeAllShares: ['401 401 403 403 - 403 403', at('/api/shares')],
  revokeShare: ['401 401 404 404 404 404 404', at(`/api/shares/${'0'.repeat(24)}`)],
  // The link has a token of its own.
  readShare: ['404 404 404 404 404 404 404', at('/api/shared', { token: 'unknown' })],
  reviewShared: [
    '404 404 404 404 404 404 404',
    at(`/api/shared/recordings/${'0'.repeat(24)}/review`, { token: 'unknown', reason: 'Well said.' }),
  ],

  // Ids that do not exist: owners and admins are tested by recording.
  deleteAnswer: ['401 401 404 404 404 404 404', at(`/api/recordings/${'0'.repeat(24)}`)],
  deleteSession: ['401 401 404 404 404 404 404', at(`/api/sessions/${'0'.repeat(24)}`)],

  requestDataExport: [
    '401 401 403 403 200 200 403',
    ({ users }) => ({ path: '/api/recordings/export', body: { userId: users.owner.id } }),
  ],
  accountData: [
    '401 401 403 403 200 200 403',
    ({ users }) => ({ path: `/api/auth/account-data?userId=${users.owner.id}` }),
  ],
  // The link has a cookie of its own.
  downloadDataExport: [
    '401 401 401 401 401 401 401',
    ({ users }) => ({ path: `/api/recordings/export/${users.owner.id}` }),
  ],

  interviewHistory: ['401 401 200 200 200 200 200', at('/api/interviews/history')],
  interviewGroups: ['401 401 200 403 200 200 200', at('/api/interviews/history/groups?by=email')],
  searchInterviewHistory: ['401 401 200 200 200 200 200', at('/api/interviews/history/search', { email: 'x' })],
  searchInterviewGroups: ['401 401 200 403 200 200 200', at('/api/interviews/history/groups/search', { by: 'email' })],
  interviewDetail: [
    '401 401 404 404 200 200 404',
    ({ interview }) => ({ path: `/api/interviews/${interview.interviewId}` }),
  ],
  questionTakes: [
    '401 401 404 404 200 200 404',
    ({ interview }) => ({ path: `/api/interviews/${interview.interviewId}/questions/0/takes` }),
  ],
  progress: ['401 401 200 200 200 200 200', at('/api/progress?timeZone=Europe/Berlin')],
  reviews: ['401 401 200 200 200 200 200', at('/api/reviews')],
  practiceHistory: ['401 401 200 200 200 200 200', at('/api/practice/history')],
  practiceGroups: ['401 401 200 403 200 200 200', at('/api/practice/history/groups?by=email')],
  searchPracticeHistory: ['401 401 200 200 200 200 200', at('/api/practice/history/search', { email: 'x' })],
  searchPracticeGroups: ['401 401 200 403 200 200 200', at('/api/practice/history/groups/search', { by: 'email' })],
  practiceDetail: [
    '401 401 404 404 200 200 404',
    ({ practice }) => ({ path: `/api/practice/details/${practice.practiceId}` }),
  ],

  // `others` is a member, `owner` coaches the group, `stranger` another one.
  listGroups: ['401 401 200 200 200 200 200', at('/api/groups')],
  createGroup: ['401 401 403 403 201 403 403', at('/api/groups', { name: 'Class of 2027' })],
  getGroup: ['401 401 200 404 200 200 404', ({ groupId }) => ({ path: `/api/groups/${groupId}` })],
  updateGroup: [
    '401 401 403 404 200 200 404',
    ({ groupId }) => ({ path: `/api/groups/${groupId}`, body: { name: 'Class of 2027', archived: false } }),
  ],
  setGroupRole: [
    '401 401 403 404 200 200 404',
    ({ groupId, users }) => ({ path: `/api/groups/${groupId}/people/${users.others.id}`, body: { role: 'member' } }),
  ],
  leaveGroup: [
    '401 401 403 404 404 404 404',
    ({ groupId }) => ({ path: `/api/groups/${groupId}/people/${'0'.repeat(24)}` }),
  ],
  invite: [
    '401 401 403 404 200 200 404',
    ({ groupId }) => ({
      path: `/api/groups/${groupId}/invitations`,
      body: { people: [{ email: `${randomUUID()}@example.com` }] },
    }),
  ],
  messageGroup: [
    '401 401 403 404 200 200 404',
    ({ groupId, users }) => ({
      path: `/api/groups/${groupId}/messages`,
      body: { userIds: [users.others.id], subject: 'Next week', text: 'We meet on Monday.' },
    }),
  ],
  revokeInvitation: [
    '401 401 403 404 404 404 404',
    ({ groupId }) => ({ path: `/api/groups/${groupId}/invitations/${'0'.repeat(24)}` }),
  ],
  openJoinCode: [
    '401 401 403 404 200 200 404',
    ({ groupId }) => ({
      path: `/api/groups/${groupId}/join-code`,
      body: { seats: 3, expiresAt: new Date(Date.now() + 60_000).toISOString() },
    }),
  ],
  closeJoinCode: ['401 401 403 404 204 204 404', ({ groupId }) => ({ path: `/api/groups/${groupId}/join-code` })],
  listAssignments: ['401 401 403 404 200 200 404', ({ groupId }) => ({ path: `/api/assignments?groupId=${groupId}` })],
  createAssignment: [
    '401 401 403 404 201 201 404',
    ({ groupId, interviewSet }) => ({
      path: '/api/assignments',
      body: { ...assignmentTerms, groupId, sets: [{ kind: 'interview', setId: interviewSet._id }], memberIds: null },
    }),
  ],
  updateAssignment: [
    '401 401 403 404 200 200 404',
    ({ assignmentId }) => ({ path: `/api/assignments/${assignmentId}`, body: assignmentTerms }),
  ],
  releaseFeedback: [
    '401 401 403 404 200 200 404',
    ({ assignmentId }) => ({ path: `/api/assignments/${assignmentId}/release` }),
  ],
  extendAssignment: [
    '401 401 403 404 409 409 404',
    ({ assignmentId, users }) => ({
      path: `/api/assignments/${assignmentId}/extensions`,
      body: { userIds: [users.others.id], dueAt: '2099-01-01T00:00:00.000Z' },
    }),
  ],
  remindMembers: [
    '401 401 403 404 200 200 404',
    ({ assignmentId, users }) => ({
      path: `/api/assignments/${assignmentId}/reminders`,
      body: { userIds: [users.others.id] },
    }),
  ],
  deleteAssignment: ['401 401 404 404 404 404 404', at(`/api/assignments/${'0'.repeat(24)}`)],
  listApiKeys: ['401 401 200 200 200 200 200', at('/api/auth/api-keys')],
  createApiKey: [
    '401 401 403 403 201 201 201',
    at('/api/auth/api-keys', { name: 'Reports', scopes: ['results:read'], days: 1 }),
  ],
  revokeApiKey: ['401 401 404 404 404 404 404', at(`/api/auth/api-keys/${'0'.repeat(24)}`)],
  exchangeApiKey: ['401 401 401 401 401 401 401', at('/api/auth/api-keys/token', { key: 'unknown' })],
  listWebhooks: ['401 401 200 200 200 200 200', at('/api/auth/webhooks')],
  // A private address is refused after the caller.
  createWebhook: [
    '401 401 403 403 400 400 400',
    at('/api/auth/webhooks', { url: 'https://127.0.0.1/', events: ['answer.judged'] }),
  ],
  deleteWebhook: ['401 401 404 404 404 404 404', at(`/api/auth/webhooks/${'0'.repeat(24)}`)],
  listDeliveries: ['401 401 404 404 404 404 404', at(`/api/auth/webhooks/${'0'.repeat(24)}/deliveries`)],
  redeliver: ['401 401 404 404 404 404 404', at(`/api/auth/webhooks/${'0'.repeat(24)}/deliveries/${'0'.repeat(24)}`)],
  ltiKeys: ['200 200 200 200 200 200 200', at('/api/auth/lti/keys')],
  beginLtiLogin: ['400 400 400 400 400 400 400', at('/api/auth/lti/login', { iss: 'x' })],
  openLtiLogin: [
    '404 404 404 404 404 404 404',
    at('/api/auth/lti/login?iss=https://moodle.example.com&login_hint=1&target_link_uri=https://example.com'),
  ],
  ltiLaunch: ['401 401 401 401 401 401 401', at('/api/auth/lti/launch', { state: 'x' })],
  finishLtiLaunch: ['401 401 401 401 401 401 401', at('/api/auth/lti/finish', { attempt: 'x' })],
  linkLti: ['401 401 409 409 409 409 409', at('/api/auth/lti/link', { attempt: 'x' })],
  chooseLtiContent: [
    '401 401 403 403 403 403 403',
    at('/api/auth/lti/choose', { attempt: 'x', assignmentId: '0'.repeat(24), title: 'Week 1' }),
  ],
  returnLtiContent: ['204 204 204 204 204 204 204', at('/api/auth/lti/return')],
  listLtiPlatforms: ['401 401 403 403 200 403 403', at('/api/auth/lti/platforms')],
  // A private address is refused after the caller.
  createLtiPlatform: [
    '401 401 403 403 400 403 403',
    at('/api/auth/lti/platforms', { ...ltiAddresses, issuer: 'https://127.0.0.1', clientId: 'x' }),
  ],
  updateLtiPlatform: ['401 401 403 403 404 403 403', at(`/api/auth/lti/platforms/${'0'.repeat(24)}`, ltiAddresses)],
  deleteLtiPlatform: ['401 401 403 403 404 403 403', at(`/api/auth/lti/platforms/${'0'.repeat(24)}`)],
  listLtiCourses: ['401 401 200 200 200 200 200', at('/api/auth/lti/courses')],
  updateLtiMembers: ['401 401 404 404 404 404 404', at(`/api/auth/lti/courses/${'0'.repeat(24)}/members`)],
  listLtiScores: ['401 401 404 404 404 404 404', at(`/api/auth/lti/courses/${'0'.repeat(24)}/scores`)],
  resendLtiScore: [
    '401 401 404 404 404 404 404',
    at(`/api/auth/lti/courses/${'0'.repeat(24)}/scores/${'0'.repeat(24)}`),
  ],
  getCalendar: ['401 401 200 200 200 200 200', at('/api/calendar')],
  createCalendar: ['401 401 201 201 201 201 201', at('/api/calendar')],
  deleteCalendar: ['401 401 204 204 204 204 204', at('/api/calendar')],
  calendarFeed: ['404 404 404 404 404 404 404', at('/api/calendar/feed.ics?token=unknown')],
  roster: [
    '401 401 403 404 200 200 404',
    ({ groupId, assignmentId }) => ({ path: `/api/rosters/${groupId}/${assignmentId}` }),
  ],
  memberReport: [
    '401 401 403 404 200 200 404',
    ({ groupId, assignmentId, users }) => ({
      path: `/api/rosters/${groupId}/${assignmentId}/members/${users.others.id}`,
    }),
  ],
  rosterQuestions: [
    '401 401 403 404 200 200 404',
    ({ groupId, assignmentId }) => ({ path: `/api/rosters/${groupId}/${assignmentId}/questions` }),
  ],
  // What opens a group is unknown.
  previewGroup: ['400 400 400 400 400 400 400', at('/api/groups/preview', { token: 'unknown' })],
  joinGroup: ['401 401 400 400 400 400 400', at('/api/groups/join', { code: 'unknown' })],
  acceptInvitation: [
    '400 400 400 400 400 400 400',
    at('/api/groups/accept', { token: 'unknown', password: 'long enough' }),
  ],
  requestInvitation: [
    '400 400 400 400 400 400 400',
    at('/api/groups/request-invitation', { code: 'unknown', email: 'nobody@example.com' }),
  ],

  health: ['200 200 200 200 200 200 200', at('/api/health')],
  componentHealth: ['200 200 200 200 200 200 200', at('/api/health/recording')],
  settings: ['200 200 200 200 200 200 200', at('/api/settings')],
  openapi: ['200 200 200 200 200 200 200', at('/api/openapi.json')],

  // The last, since they end sign-ins: the product's own of the admin, then the callers'.
  endOtherSignIns: ['401 401 204 204 204 204 204', at('/api/auth/sign-ins')],
  logout: ['401 401 204 204 204 204 204', at('/api/auth/logout')],
};
