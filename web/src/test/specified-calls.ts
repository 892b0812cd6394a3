import { userOf } from './fake-api.ts';

/** A call of the web app, as the specification's section 7 has it. */
export interface Call {
  /** Name of the endpoint, and what it is given. */
  endpoint: string;
  given?: unknown;
  /** What goes over the wire. */
  wire: `${'GET' | 'POST' | 'PUT' | 'DELETE'} ${string}`;
  body?: unknown;
  credentials?: true;
  /** The answer, and what the product makes of it. */
  answer: unknown;
  result: unknown;
  /** The message if the server gives none. */
  fallback: string;
}

const one = { _id: 'a', title: 'Hooks' };
export const technology = { id: 'a', name: 'Go', slug: 'go' };
const user = userOf('dev');
const set = { title: 'Hooks', technology: 'react', questions: ['Why?'], tags: ['a'] };
const practiceSet = { ...set, answers: ['So.'] };
const page = { recordings: [one], nextCursor: null, total: 1 };
const detail = { sessionId: 's', questions: ['Why?'], recordings: [] };
const listed = { pages: [page], pageParams: [null] };

/** Every call but the two uploads. */
export const calls: readonly Call[] = [
  {
    endpoint: 'listTechnologies',
    wire: 'GET /api/technologies',
    answer: { technologies: [technology] },
    result: [technology],
    fallback: 'Failed to fetch technologies',
  },
  {
    endpoint: 'createTechnology',
    given: { name: 'Go' },
    wire: 'POST /api/technologies',
    body: { name: 'Go' },
    answer: { technology },
    result: technology,
    fallback: 'Failed to create technology',
  },
  {
    endpoint: 'updateTechnology',
    given: { id: 'a', name: 'Go' },
    wire: 'PUT /api/technologies/a',
    body: { name: 'Go' },
    answer: { technology },
    result: technology,
    fallback: 'Failed to update technology',
  },
  {
    endpoint: 'deleteTechnology',
    given: 'a',
    wire: 'DELETE /api/technologies/a',
    answer: null,
    result: null,
    fallback: 'Failed to delete technology',
  },
  {
    endpoint: 'listInterviewSets',
    wire: 'GET /api/interviews/sets',
    answer: { interviewSets: [one] },
    result: [one],
    fallback: 'Failed to fetch interview sets',
  },
  {
    endpoint: 'createInterviewSet',
    given: set,
    wire: 'POST /api/interviews/sets',
    body: set,
    answer: { interviewSet: one },
    result: one,
    fallback: 'Failed to create interview set',
  },
  {
    endpoint: 'updateInterviewSet',
    given: { id: 'a', body: set },
    wire: 'PUT /api/interviews/sets/a',
    body: set,
    answer: { interviewSet: one },
    result: one,
    fallback: 'Failed to update interview set',
  },
  {
    endpoint: 'deleteInterviewSet',
    given: 'a',
    wire: 'DELETE /api/interviews/sets/a',
    answer: null,
    result: null,
    fallback: 'Failed to delete interview set',
  },
  {
    endpoint: 'listPracticeSets',
    wire: 'GET /api/practice',
    credentials: true,
    answer: { practiceSets: [one] },
    result: [one],
    fallback: 'Failed to fetch practice sets',
  },
  {
    endpoint: 'createPracticeSet',
    given: practiceSet,
    wire: 'POST /api/practice',
    credentials: true,
    body: practiceSet,
    answer: { practiceSet: one },
    result: one,
    fallback: 'Failed to create practice set',
  },
  {
    endpoint: 'updatePracticeSet',
    given: { id: 'a', body: practiceSet },
    wire: 'PUT /api/practice/a',
    credentials: true,
    body: practiceSet,
    answer: { practiceSet: one },
    result: one,
    fallback: 'Failed to update practice set',
  },
  {
    endpoint: 'deletePracticeSet',
    given: 'a',
    wire: 'DELETE /api/practices/sets/a',
    credentials: true,
    answer: null,
    result: null,
    fallback: 'Failed to delete practice set',
  },
  {
    endpoint: 'sessionHistory',
    given: { kind: 'practice', email: '', technology: '' },
    wire: 'GET /api/practice/history',
    credentials: true,
    answer: page,
    result: listed,
    fallback: 'Failed to fetch practice history',
  },
  {
    endpoint: 'sessionDetail',
    given: { kind: 'practice', id: 'a' },
    wire: 'GET /api/practice/details/a',
    credentials: true,
    answer: detail,
    result: detail,
    fallback: 'Failed to fetch practice details',
  },
  {
    endpoint: 'sessionHistory',
    given: { kind: 'interview', email: '', technology: '' },
    wire: 'GET /api/interviews/history',
    answer: page,
    result: listed,
    fallback: 'Failed to fetch interview history',
  },
  {
    endpoint: 'sessionDetail',
    given: { kind: 'interview', id: 'a' },
    wire: 'GET /api/interviews/a',
    credentials: true,
    answer: detail,
    result: detail,
    fallback: 'Failed to fetch interview details',
  },
  {
    endpoint: 'listUsers',
    wire: 'GET /api/users',
    answer: { users: [user] },
    result: [user],
    fallback: 'Failed to fetch users',
  },
  {
    endpoint: 'updateUserTechnologies',
    given: { id: 'a', technologies: ['go'] },
    wire: 'PUT /api/users/a',
    body: { technologies: ['go'] },
    answer: { user },
    result: user,
    fallback: 'Failed to update user',
  },
  {
    endpoint: 'deleteUser',
    given: 'a',
    wire: 'DELETE /api/users/a',
    answer: null,
    result: null,
    fallback: 'Failed to delete user',
  },
  {
    endpoint: 'login',
    given: { email: 'a@example.com', password: 'secret' },
    wire: 'POST /api/auth/login',
    body: { email: 'a@example.com', password: 'secret' },
    answer: { user: { ...user, token: 't' } },
    result: { ...user, token: 't' },
    fallback: 'Authentication failed',
  },
  {
    endpoint: 'googleLogin',
    given: { accessToken: 'g' },
    wire: 'POST /api/auth/google',
    body: { accessToken: 'g' },
    answer: { user: { ...user, token: 't' } },
    result: { ...user, token: 't' },
    fallback: 'Google authentication failed',
  },
  {
    endpoint: 'registerDeveloper',
    given: { email: 'a@example.com', password: 'long enough', technologies: ['go'] },
    wire: 'POST /api/auth/register',
    body: { email: 'a@example.com', password: 'long enough', role: 'dev', technologies: ['go'] },
    answer: { user },
    result: user,
    fallback: 'Failed to register user',
  },
  {
    endpoint: 'requestPasswordReset',
    given: { email: 'a@example.com' },
    wire: 'POST /api/auth/forgot-password',
    body: { email: 'a@example.com' },
    answer: { message: 'sent' },
    result: { message: 'sent' },
    fallback: 'Failed to request password reset',
  },
  {
    endpoint: 'resetPassword',
    given: { token: 't', password: 'long enough' },
    wire: 'POST /api/auth/reset-password',
    body: { token: 't', password: 'long enough' },
    answer: { message: 'done' },
    result: { message: 'done' },
    fallback: 'Failed to reset password',
  },
  {
    endpoint: 'changePassword',
    given: { currentPassword: 'old', newPassword: 'long enough' },
    wire: 'POST /api/auth/change-password',
    body: { currentPassword: 'old', newPassword: 'long enough' },
    answer: { message: 'done' },
    result: { message: 'done' },
    fallback: 'Failed to change password',
  },
];
