import type { Health, PublicSettings } from '@interview-prep/contracts/api/operations';
import type { Role, User } from '@interview-prep/contracts/auth/users';
import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import type { Overview } from '@interview-prep/contracts/recording/reviews';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { storeSignIn } from '../lib/state/sign-in-storage.ts';
import { tokenOf } from './token-of.ts';

export function userOf(role: Role): User {
  return {
    id: 'b'.repeat(24),
    email: `${role}@example.com`,
    role,
    technologies: [],
    plan: 'basic',
    createdAt: '2026-11-01T00:00:00.000Z',
    lastLogin: null,
  };
}

/** Stores a sign-in, as if from an earlier visit. */
export function signInBefore(role: Role, overrides: Partial<User> = {}): void {
  const user = { ...userOf(role), ...overrides };
  storeSignIn(user, tokenOf(user));
}

export function setOf(number: number, overrides: Partial<InterviewSet> = {}): InterviewSet {
  return {
    _id: String(number).padStart(24, '0'),
    id: String(number).padStart(24, '0'),
    title: `Set ${number}`,
    technology: 'React',
    technologySlug: 'react',
    questions: ['What is a hook?', 'Why keys?'],
    tags: ['a', 'b', 'c', 'd', 'e'],
    status: 'published',
    createdBy: { email: 'admin@example.com' },
    createdAt: '2026-11-01T00:00:00.000Z',
    updatedAt: '2026-11-01T00:00:00.000Z',
    ...overrides,
  };
}

/** A set whose recordings start without a countdown. */
export function quickSetOf(number: number, overrides: Partial<InterviewSet> = {}): InterviewSet {
  return setOf(number, { thinkingSeconds: 0, ...overrides });
}

export const settings: PublicSettings = { googleClientId: null, oidc: null, avatarUrl: null, demoLogins: [] };

export const healthy: Health = {
  status: 'ok',
  services: { auth: 'ok', catalog: 'ok', recording: 'ok', history: 'ok', worker: 'ok' },
  version: '1.2.3',
  workers: [],
};

export const nothingWaits: Overview = {
  appeals: { count: 0, oldest: [] },
  failed: { count: 0, newest: [] },
  waiting: { count: 0, since: null },
};

/** Defaults for requests that any screen may make; tests override them with `server.use`. */
export const server = setupServer(
  http.get('*/api/health', () => HttpResponse.json(healthy)),
  http.get('*/api/settings', () => HttpResponse.json(settings)),
  http.get('*/api/recordings/overview', () => HttpResponse.json(nothingWaits)),
  http.get('*/api/users/newest', () => HttpResponse.json({ users: [], lastSevenDays: 0 })),
  http.get('*/api/technologies', () =>
    HttpResponse.json({ technologies: [{ id: '1', name: 'React', slug: 'react' }] }),
  ),
  http.get('*/api/interviews/sets', () => HttpResponse.json({ interviewSets: [quickSetOf(1)] })),
  http.get('*/api/assignments', () => HttpResponse.json({ assignments: [] })),
  http.get('*/api/groups', () => HttpResponse.json({ groups: [] })),
  http.get('*/api/auth/lti/courses', () => HttpResponse.json({ courses: [] })),
  http.get('*/api/calendar', () => HttpResponse.json({ createdAt: null })),
  http.get('*/api/uploads', () => HttpResponse.json({ uploads: [] })),
  http.get('*/api/practice', () => HttpResponse.json({ practiceSets: [] })),
  http.post('*/api/auth/reset-password/check', () => new HttpResponse(null, { status: 204 })),
  // No key: happy-dom has no database to encrypt.
  http.get('*/api/auth/draft-key', () => HttpResponse.json({})),
  http.get('*/api/progress', () =>
    HttpResponse.json({ streakDays: 0, spokenMs: 0, sessionCount: 0, latest: null, technologies: [] }),
  ),
  http.get('*/api/reviews', () => HttpResponse.json({ questions: [], dueCount: 0, total: 0 })),
  ...['*/api/interviews/history', '*/api/interviews/history/search'].map((path) =>
    http.all(path, () => HttpResponse.json({ recordings: [], nextCursor: null, total: 0 })),
  ),
);
