import type { LtiPlace } from '@interview-prep/contracts/auth/lti';
import { ltiAttemptKey } from '@interview-prep/contracts/auth/lti-attempt-key';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { server, signInBefore, userOf } from '../../test/fake-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { tokenOf } from '../../test/token-of.ts';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => {
  server.resetHandlers();
  sessionStorage.clear();
});
afterAll(() => server.close());

const groupId = 'a'.repeat(24);
const assignmentId = 'c'.repeat(24);
const student = { ...userOf('others'), id: 'd'.repeat(24), email: 'sam@example.org' };
const signIn = { user: { ...student, token: tokenOf(student) } };
const placeOf = (changes: Partial<LtiPlace>): LtiPlace => ({
  kind: 'work',
  courseTitle: 'Web Engineering',
  groupId,
  assignmentId,
  returnedBy: null,
  ...changes,
});

/** Serves this window's launch and records the requests. */
function launchAnswers(...answers: readonly (readonly [status: number, body: object])[]) {
  sessionStorage.setItem(ltiAttemptKey, 'secret');
  const sent: unknown[] = [];
  server.use(
    http.post('*/api/auth/lti/finish', async ({ request }) => {
      sent.push(await request.json());
      const [status, body] = answers[sent.length - 1] ?? [500, {}];
      return HttpResponse.json(body, { status });
    }),
  );
  return sent;
}
const hash = (assignment: string) => `#assignment=${assignment}`;

test.each([
  ['a member to the assignment in the group', placeOf({}), `/groups/${groupId}`, hash(assignmentId)],
  ['a coach to the roster', placeOf({ kind: 'roster' }), `/groups/${groupId}/assignments/${assignmentId}`, ''],
  ['a coach to the choice', placeOf({ kind: 'choose', assignmentId: null }), '/lti/choose', ''],
])('a launch signs in and leads %s, once', async (_who, place, pathname, fragment) => {
  const sent = launchAnswers([200, { signIn, place }]);
  server.use(http.get('*', () => HttpResponse.json({ message: 'Not now' }, { status: 503 })));
  signInBefore('admin');
  const { router, store } = renderApp('/lti');
  await waitFor(() => expect(router.state.location).toMatchObject({ pathname, hash: fragment }));
  expect(sent).toEqual([{ attempt: 'secret' }]);
  expect(store.getState().signIn).toMatchObject({ user: { email: student.email } });
  expect(await screen.findByText('You are now signed in as sam@example.org')).toBeVisible();
  expect(sessionStorage.getItem(ltiAttemptKey)).toBeNull();
});

test('if nothing has been chosen yet, a member is told so and gets a link to the group', async () => {
  launchAnswers([200, { signIn, place: placeOf({ kind: 'nothing-chosen', assignmentId: null }) }]);
  renderApp('/lti');
  expect(await screen.findByText(/Your teacher has not chosen an assignment/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go to “Web Engineering”' })).toHaveAttribute('href', `/groups/${groupId}`);
});

test('the second factor is required, also if someone else is signed in', async () => {
  const secondFactor = { challenge: 'challenge', methods: ['totp'] };
  launchAnswers([200, { signIn: { secondFactor }, place: placeOf({ kind: 'choose', assignmentId: null }) }]);
  server.use(http.post('*/api/auth/second-factor', () => HttpResponse.json(signIn)));
  signInBefore('admin');
  const { router, store } = renderApp('/lti');
  await userEvent.type(await screen.findByLabelText('Code'), '123456');
  expect(store.getState().signIn).toMatchObject({ user: { email: 'admin@example.com' } });
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/lti/choose'));
  expect(store.getState().signIn).toMatchObject({ user: { email: student.email } });
});

test('an error says what to do; a request that failed can be retried', async () => {
  const message = 'This launch has ended. Please open the activity in your course again.';
  const sent = launchAnswers(
    [503, { message: 'The service is not available right now', code: 'unavailable' }],
    [401, { message, code: 'unauthorized' }],
  );
  renderApp('/lti');
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByText(/go back to your course and open the activity again/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(sent).toEqual([{ attempt: 'secret' }, { attempt: 'secret' }]);
});

test('an existing account is linked once its owner confirms', async () => {
  const code = 'account_exists';
  launchAnswers([409, { message: 'There is an account with this email already. Sign in to link it.', code }]);
  const linked: unknown[] = [];
  const refusal = 'Another account of Moodle is linked to this user already.';
  server.use(
    http.post('*/api/auth/lti/link', async ({ request }) => {
      linked.push(await request.json());
      return linked.length === 1
        ? HttpResponse.json({ message: refusal, code: 'conflict' }, { status: 409 })
        : HttpResponse.json({ place: placeOf({ kind: 'choose', assignmentId: null }) });
    }),
  );
  signInBefore('others');
  const { router } = renderApp('/lti');
  await userEvent.click(await screen.findByRole('link', { name: 'Continue' }));
  expect(await screen.findByText('others@example.com')).toBeVisible();
  expect(linked).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Link and continue' }));
  expect(await screen.findByText(refusal)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Link and continue' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/lti/choose'));
  expect(linked).toEqual([{ attempt: 'secret' }, { attempt: 'secret' }]);
});

test('a coach chooses: the activity exists already, a frame is waiting, or this window goes back', async () => {
  const assignment = {
    id: assignmentId,
    groupId,
    title: 'Week 1',
    opensAt: '2026-11-20T10:00:00.000Z',
    dueAt: null,
    sets: [{ kind: 'interview', setId: 'e'.repeat(24), title: 'Closures', questionCount: 2 }],
  };
  const group = { id: groupId, name: 'Web Engineering', role: 'coach', archivedAt: null, coaches: [], people: [] };
  const sent: unknown[] = [];
  const submit = vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => undefined);
  onTestFinished(() => submit.mockRestore());
  const open = (returnedBy: LtiPlace['returnedBy']) => {
    launchAnswers([200, { signIn, place: placeOf({ kind: 'choose', assignmentId: null, returnedBy }) }]);
    server.use(
      http.get('*/api/assignments', () => HttpResponse.json({ assignments: [assignment] })),
      http.get('*/api/groups/:id', () => HttpResponse.json({ group })),
      http.get('*/api/rosters/*', () => HttpResponse.json({ message: 'Not found' }, { status: 404 })),
      http.post('*/api/auth/lti/choose', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ place: placeOf({ kind: 'roster', returnedBy }) });
      }),
    );
    return renderApp('/lti');
  };
  const choose = async () => {
    const list = within(await screen.findByRole('list', { name: 'Assignments' }));
    await userEvent.click(list.getByRole('button', { name: 'Choose: Week 1' }));
  };

  const first = open(null);
  await choose();
  await waitFor(() =>
    expect(first.router.state.location.pathname).toBe(`/groups/${groupId}/assignments/${assignmentId}`),
  );
  first.unmount();
  const second = open('frame');
  await choose();
  expect(await screen.findByText(/You can close this window/)).toBeVisible();
  expect(submit).not.toHaveBeenCalled();
  second.unmount();
  open('window');
  await choose();
  await waitFor(() => expect(submit).toHaveBeenCalled());
  const form = submit.mock.contexts[0] as HTMLFormElement;
  expect(form.getAttribute('action')).toBe('/api/auth/lti/return');
  expect(new FormData(form).get('attempt')).toBe('secret');
  expect(sent).toEqual(Array(3).fill({ attempt: 'secret', assignmentId, title: 'Week 1' }));
});
