import type { GroupDetail } from '@interview-prep/contracts/auth/groups';
import type { LtiCourse, LtiScore } from '@interview-prep/contracts/auth/lti';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, signInBefore } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const at = '2026-11-20T10:00:00.000Z';
const groupId = 'a'.repeat(24);
const courseId = 'b'.repeat(24);
const group: GroupDetail = {
  id: groupId,
  name: 'Web Engineering',
  archivedAt: null,
  role: 'coach',
  coaches: [],
  memberCount: 0,
  createdAt: at,
  people: [],
  invitations: [],
  joinCode: null,
};
const course: LtiCourse = {
  id: courseId,
  title: 'Web Engineering 1',
  platformName: 'Moodle',
  group: { id: groupId, name: group.name },
  tellsMembers: true,
  memberUpdate: null,
  linkCount: 1,
  failedScores: 1,
};
const update = { startedAt: at, endedAt: null, added: 0, known: 0, skipped: [], fault: null };

test('a coach updates members from a course, and sees who could not be added', async () => {
  let shown = course;
  let people: GroupDetail['people'] = [];
  server.use(
    http.get('*/api/groups/:id', () => HttpResponse.json({ group: { ...group, people } })),
    http.get('*/api/auth/lti/courses', () => {
      const courses = [shown, { ...course, id: 'f'.repeat(24), title: 'Another', group: { id: 'x', name: 'x' } }];
      // It has finished by the next poll.
      if (shown.memberUpdate) {
        people = [{ userId: 'd'.repeat(24), email: 'ada@example.com', role: 'member', joinedAt: at }];
        const skipped = [{ who: 'Alan', reason: 'They have an account already, and link it at their first launch' }];
        shown = { ...course, memberUpdate: { ...update, endedAt: at, added: 1, skipped } };
      }
      return HttpResponse.json({ courses });
    }),
    http.post('*/api/auth/lti/courses/:id/members', () => {
      shown = { ...course, memberUpdate: update };
      return HttpResponse.json({ course: shown }, { status: 202 });
    }),
  );
  signInBefore('others');
  renderApp(`/groups/${groupId}`);
  const list = within(await screen.findByRole('list', { name: 'Courses' }));
  expect(list.getAllByRole('listitem')).toHaveLength(1);
  await userEvent.click(list.getByRole('button', { name: 'Update members from Web Engineering 1' }));
  expect(await list.findByText('Updating members…')).toBeVisible();
  expect(await list.findByText(/1 added, 0 already here/, {}, { timeout: 10_000 })).toBeVisible();
  expect(list.getByText('1 person not added')).toBeVisible();
  expect(list.getByText(/Alan: They have an account already/)).toBeInTheDocument();
  expect(await screen.findByText('ada@example.com')).toBeVisible();
});

test('a coach sees the scores sent to a course, and sends one again', async () => {
  const score: LtiScore = {
    id: 'c'.repeat(24),
    email: 'ada@example.com',
    title: 'Week 1',
    score: 81.5,
    state: 'failed',
    createdAt: at,
    attempts: 1,
    lastAt: at,
    nextAt: null,
    outcome: '404',
  };
  const sent: unknown[] = [];
  server.use(
    http.get('*/api/groups/:id', () => HttpResponse.json({ group })),
    http.get('*/api/auth/lti/courses', () => HttpResponse.json({ courses: [course] })),
    http.get('*/api/auth/lti/courses/:id/scores', () => HttpResponse.json({ scores: [score] })),
    http.post('*/api/auth/lti/courses/:id/scores/:scoreId', ({ params }) => {
      sent.push(params);
      return HttpResponse.json({ score }, { status: 202 });
    }),
  );
  signInBefore('others');
  renderApp(`/groups/${groupId}`);
  expect(await screen.findByText('1 score not delivered')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Scores sent to Web Engineering 1' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Scores sent to “Web Engineering 1”' }));
  expect(await dialog.findByText(/ada@example.com · 82%/)).toBeVisible();
  expect(dialog.getByText('Failed')).toBeVisible();
  expect(dialog.getByText(/1 attempt · 404/)).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Send again: ada@example.com, Week 1' }));
  await waitFor(() => expect(sent).toMatchObject([{ id: courseId, scoreId: score.id }]));
});
