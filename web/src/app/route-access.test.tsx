import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { server, setOf, signInBefore, userOf } from '../test/fake-api.ts';
import { practiceSetOf, serveCatalog } from '../test/fake-catalog.ts';
import { interviewDetail, interviewId } from '../test/history/history-fixtures.ts';
import { renderApp } from '../test/render-app.tsx';
import { loadPage } from './lazy-page.tsx';
import { screenRoutes } from './routes.ts';

const setId = setOf(1)._id;

/** The routes of the specification: path, access, and the heading shown. */
const table = [
  ['/', 'signed in', 'Interview Sets'],
  ['/technology-selection', 'everyone', 'Choose your technologies'],
  ['/payment', 'everyone', 'Choose your plan'],
  ['/new', 'admin', 'Add Interview Set'],
  [`/edit/${setId}`, 'admin', 'Edit Interview Set'],
  [`/interview/${setId}`, 'signed in', 'Check your microphone'],
  ['/technologies', 'admin', 'Manage Technologies'],
  ['/users', 'admin', 'Manage Users'],
  ['/audit', 'admin', 'Audit Log'],
  ['/admin/share-links', 'admin', 'Share Links'],
  ['/interviews', 'signed in', 'Interview History'],
  [`/interviews/${interviewId}`, 'signed in', 'Closures and scope'],
  ['/practiceInterviews', 'signed in', 'Practice History'],
  [`/practiceInterviews/${interviewId}`, 'signed in', 'Closures and scope'],
  ['/practice', 'signed in', 'Practice Interview'],
  [`/practice/session/${setId}`, 'signed in', 'What is a hook?'],
  ['/admin/practice', 'admin', 'Practice Sets'],
  ['/forgot-password', 'everyone', 'Forgot your password?'],
  ['/reset-password?token=t', 'everyone', 'Reset password'],
  ['/change-password', 'signed in', 'Change Password'],
  ['/profile', 'signed in', 'My Profile'],
  ['/transcribe', 'signed in', 'Transcription demo'],
  // Not in the specification.
  ['/admin/appeals', 'signed in', 'Answers to review'],
  ['/admin/queues', 'admin', 'Queues'],
  ['/admin/sets', 'admin', 'Manage Interview Sets'],
  ['/security', 'signed in', 'Sign-in and Security'],
  ['/shared', 'everyone', 'Shared interview'],
  [`/interviews/${interviewId}/takes/1`, 'signed in', 'Takes side by side'],
  ['/progress', 'signed in', 'My Progress'],
  ['/review', 'signed in', 'Review'],
  ['/sign-in/callback', 'everyone', 'Sign in again'],
  ['/integrations', 'signed in', 'Integrations'],
  ['/groups', 'signed in', 'Groups'],
  [`/groups/${interviewId}`, 'signed in', 'Group not found'],
  [`/groups/${interviewId}/assignments/${interviewId}`, 'signed in', 'Group not found'],
  [`/groups/${interviewId}/assignments/${interviewId}/questions`, 'signed in', 'Group not found'],
  [`/groups/${interviewId}/assignments/${interviewId}/report`, 'signed in', 'Group not found'],
  [`/groups/${interviewId}/assignments/${interviewId}/members/${interviewId}`, 'signed in', 'Group not found'],
  ['/groups/join', 'signed in', 'Join a group'],
  ['/join', 'everyone', 'Join a group'],
  ['/lti', 'everyone', 'Open it from your course'],
  ['/lti/link', 'signed in', 'Link your course'],
  ['/lti/choose', 'signed in', 'Choose an assignment'],
] as const;

beforeAll(async () => {
  server.listen({ onUnhandledFrame: 'error' });
  // React shows the fallback of loading code for at least 300 ms.
  await Promise.all(screenRoutes.map(({ load }) => loadPage(load)));
});
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  serveCatalog({ interviewSets: [setOf(1)], practiceSets: [practiceSetOf(1)] });
  const empty = () => HttpResponse.json({ recordings: [], nextCursor: null, total: 0 });
  server.use(
    http.get(`*/api/interviews/${interviewId}`, () => HttpResponse.json(interviewDetail())),
    http.get(`*/api/interviews/${interviewId}/questions/0/takes`, () =>
      HttpResponse.json({ question: 'Why?', technology: 'React', takes: [] }),
    ),
    http.get(`*/api/practice/details/${interviewId}`, () => HttpResponse.json(interviewDetail())),
    http.get('*/api/practice/history', empty),
    http.get('*/api/groups/:id', () => HttpResponse.json({ message: 'Group not found' }, { status: 404 })),
    http.get('*/api/rosters/*/*/members/*', () => HttpResponse.json({ message: 'Group not found' }, { status: 404 })),
    http.get('*/api/rosters/*/*/questions', () => HttpResponse.json({ message: 'Group not found' }, { status: 404 })),
    http.get('*/api/rosters/*', () => HttpResponse.json({ message: 'Group not found' }, { status: 404 })),
    http.get('*/api/recordings/review-queue', () => HttpResponse.json({ items: [], total: 0 })),
    http.get('*/api/recordings/queues', () => HttpResponse.json({ stages: [], others: [], failures: [] })),
    http.get('*/api/recordings/agreement', () => HttpResponse.json({ all: null, sets: [], questions: [] })),
    http.get('*/api/auth/sign-ins', () => HttpResponse.json({ signIns: [] })),
    http.get('*/api/auth/security', () =>
      HttpResponse.json({
        hasPassword: true,
        totp: false,
        recoveryCodesLeft: 0,
        secondFactorRequired: false,
        passkeys: [],
        passkeyHost: 'localhost',
        providers: [],
      }),
    ),
    http.get('*/api/auth/me', () => HttpResponse.json({ user: userOf('others') })),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  server.resetHandlers();
});
afterAll(() => server.close());

test('the product has the routes of the specification and no others', () => {
  const withoutIds = (path: string) => path.replace(/\?.*$/, '').replace(/\/(:\w+|[\da-f]{24}|\d+)\b/g, '/{id}');
  expect(new Set(screenRoutes.map(({ path }) => withoutIds(path)))).toEqual(
    new Set(table.map(([path]) => withoutIds(path))),
  );
});

describe.each(table)('%s (%s)', (address, access, heading) => {
  test('a visitor sees public screens, and the login screen at every other path', async () => {
    renderApp(address);
    const shown = access === 'everyone' ? heading : 'Interview Platform Login';
    expect(await screen.findByRole('heading', { level: 1, name: shown })).toBeVisible();
    expect(`${window.location.pathname}${window.location.search}`).toBe(address);
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  test.each(['others', 'dev', 'admin'] as const)(
    '%s sees the screen, or home if it is only for admins',
    async (role) => {
      signInBefore(role);
      renderApp(address);
      const home = access === 'admin' && role !== 'admin';
      expect(await screen.findByRole('heading', { level: 1, name: home ? 'Interview Sets' : heading })).toBeVisible();
      expect(`${window.location.pathname}${window.location.search}`).toBe(home ? '/' : address);
      expect(screen.queryAllByRole('navigation', { name: 'Main' })).toHaveLength(access === 'everyone' ? 0 : 1);
    },
  );
});
