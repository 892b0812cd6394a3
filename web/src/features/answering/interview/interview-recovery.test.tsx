import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { quickSetOf, server, userOf } from '../../../test/fake-api.ts';
import { fakeDevices } from '../../../test/fake-devices.ts';
import { savedAs } from '../../../test/held-uploads.ts';
import { pasteInto } from '../../../test/paste-into.ts';
import { prepareRecording } from '../../../test/prepare-recording.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { keepProgress } from '../session/session-progress.ts';

const set = quickSetOf(1);
const address = `/interview/${set._id}`;

const held = prepareRecording();
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

const button = (name: string) => screen.findByRole('button', { name });
async function begin() {
  const app = renderApp(address);
  await userEvent.click(await button('Start now'));
  return app;
}

// happy-dom has no IndexedDB, like some private windows whose IndexedDB doesn't work.
test('if the browser cannot store anything, the candidate is told before the first answer', async () => {
  fakeDevices();
  renderApp(address);
  expect(await screen.findByText('Check your microphone')).toBeVisible();
  expect(await screen.findByText(/only this tab has it, so please keep the tab open/)).toBeVisible();
});

test('a failing recorder keeps what was recorded, which can be sent', async () => {
  const { recorders } = fakeDevices();
  await begin();
  await screen.findByText('Recording in progress...');
  act(() => recorders[0]?.give(4000));
  act(() => recorders[0]?.fail(new Error('The encoder broke')));
  expect(await screen.findByText('The browser stopped recording. Your answer up to that point is kept.')).toBeVisible();
  expect(held.uploads).toEqual([]);
  await userEvent.click(await button('Next Question'));
  const { sizeBytes, answer } = await held.latest(1);
  expect(sizeBytes).toBe(24_000);
  answer(savedAs(0));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
});

test('a browser that cannot measure the sound still records it', async () => {
  fakeDevices();
  class RefusingAudioContext extends AudioContext {
    override createMediaStreamSource = () => {
      throw new DOMException('Different sample rates', 'NotSupportedError');
    };
  }
  vi.stubGlobal('AudioContext', RefusingAudioContext);
  await begin();
  expect(await screen.findByText('Recording in progress...')).toBeVisible();
});

test('on an insecure origin the page says that recording needs HTTPS', async () => {
  fakeDevices();
  Reflect.deleteProperty(navigator, 'mediaDevices');
  vi.stubGlobal('isSecureContext', false);
  vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    throw new TypeError('crypto.randomUUID is not a function');
  });
  renderApp(address);
  expect(await screen.findByText('Recording needs a secure address')).toBeVisible();
});

test('if the browser stores nothing, leaving warns about it; returning in the same tab offers the answer', async () => {
  fakeDevices();
  await begin();
  await screen.findByText('Recording in progress...');
  await userEvent.click(screen.getByRole('link', { name: 'Leave' }));
  expect(await screen.findByText(/is in this tab only .* It is lost if you close or reload the tab\.$/)).toBeVisible();
  await userEvent.click(await button('Leave the interview'));
  await userEvent.click(await screen.findByRole('link', { name: 'Take Interview: Set 1' }));
  expect(await screen.findByRole('heading', { name: 'Unsent answer' })).toBeVisible();
  expect(screen.getByText(/lost if you close or reload this tab/)).toBeVisible();
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
  await userEvent.click(await button('Send it'));
  const { sizeBytes, answer } = await held.latest(1);
  expect(sizeBytes).toBe(20_000);
  answer(savedAs(0));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
});

test('if the browser stores nothing, an answer survives a sign-out', async () => {
  const user = { ...userOf('others'), token: 'another token' };
  server.use(http.post('*/api/auth/login', () => HttpResponse.json({ user })));
  fakeDevices();
  await begin();
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Next Question'));
  (await held.latest(1)).answer(HttpResponse.json({ message: 'You have been signed out' }, { status: 401 }));
  expect(await screen.findByText(/^You have been signed out. What you recorded is kept/)).toBeVisible();
  await pasteInto(await screen.findByLabelText('Email'), user.email);
  await pasteInto(screen.getByLabelText('Password', { selector: 'input' }), 'some password');
  await userEvent.click(await button('Sign In'));
  expect(await screen.findByRole('heading', { name: 'Unsent answer' })).toBeVisible();
  await userEvent.click(await button('Send it'));
  (await held.latest(2)).answer(savedAs(0));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
  expect(held.uploads[1]?.target.sessionId).toBe(held.uploads[0]?.target.sessionId);
});

test('an answer beyond a server limit is kept, and sent automatically when the server accepts it', async () => {
  fakeDevices();
  await begin();
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Next Question'));
  const message = 'You have sent many answers in a short time. Please try again in a minute.';
  const refusal = HttpResponse.json({ message }, { status: 429, headers: { 'Retry-After': '2' } });
  (await held.latest(1)).answer(refusal);
  const notice = (await screen.findByText(message)).closest('[role="alert"]');
  expect(notice).toHaveTextContent(
    /^.*Your answer \(0:0\d\) is kept in this tab.* It will be sent automatically in 0:0[012]\./,
  );
  (await held.latest(2)).answer(savedAs(0));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
});

test('recording again deletes the unsent answer', async () => {
  fakeDevices();
  const leaveAndReturn = async () => {
    await screen.findByText('Recording in progress...');
    await userEvent.click(screen.getByRole('link', { name: 'Leave' }));
    await userEvent.click(await button('Leave the interview'));
    await userEvent.click(await screen.findByRole('link', { name: 'Take Interview: Set 1' }));
    await screen.findByRole('heading', { name: 'Unsent answer' });
  };
  await begin();
  await leaveAndReturn();
  await userEvent.click(await button('Send it'));
  (await held.latest(1)).answer(new HttpResponse(null, { status: 500 }));
  expect(await screen.findByText(/^Your answer \(0:0\d\) is kept in this tab/)).toBeVisible();
  await userEvent.click(await button('Record again'));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Record again' }));
  await leaveAndReturn();
  expect(screen.getAllByRole('button', { name: 'Send it' })).toHaveLength(1);
});

test('a set edited in the meantime starts a new session, with a message', async () => {
  const sessionId = '11111111-2222-4333-8444-555555555555';
  const earlier = {
    sessionId,
    questions: ['What was a hook?'],
    asked: [0],
    index: 0,
    saved: [{ _id: 'a', askedIndex: 0 }],
  };
  keepProgress(userOf('others').id, set._id, earlier);
  fakeDevices();
  await begin();
  expect(
    await screen.findByText(
      'This set has changed since you began, so this is a new session. Your saved answers are in the history.',
    ),
  ).toBeVisible();
  expect(await screen.findByText('Question 1 of 2')).toBeVisible();
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Next Question'));
  const { target, answer } = await held.latest(1);
  expect(target.sessionId).not.toBe(sessionId);
  answer(savedAs(0));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
});

test("a question unknown to the server's session shows a message, and returning starts a new session", async () => {
  fakeDevices();
  keepProgress(userOf('others').id, set._id, {
    sessionId: '11111111-2222-4333-8444-555555555555',
    questions: set.questions,
    asked: [0, 1],
    index: 1,
    saved: [{ _id: 'a', askedIndex: 0 }],
  });
  renderApp(address);
  await userEvent.click(await button('Continue with question 2'));
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Complete Interview'));
  const message = 'The set has no such question';
  const details = [{ path: 'questionId', message }];
  (await held.latest(1)).answer(HttpResponse.json({ message, code: 'bad_request', details }, { status: 400 }));
  expect(await screen.findByText(/no longer has this question\. Leave and come back/)).toBeVisible();
  await userEvent.click(screen.getByRole('link', { name: 'Leave' }));
  await userEvent.click(await button('Leave the interview'));
  await userEvent.click(await screen.findByRole('link', { name: 'Take Interview: Set 1' }));
  await userEvent.click(await button('Record again'));
  await userEvent.click(await button('Delete it'));
  await userEvent.click(await button('Start now'));
  await screen.findByText('Recording in progress...');
  expect(screen.getByText('Question 1 of 2')).toBeVisible();
});

test('the questions come from the current set, not from the cached list', async () => {
  fakeDevices();
  renderApp('/');
  const link = await screen.findByRole('link', { name: 'Take Interview: Set 1' });
  const edited = { ...set, questions: ['What is an effect?'] };
  server.use(http.get('*/api/interviews/sets', () => HttpResponse.json({ interviewSets: [edited] })));
  await userEvent.click(link);
  await userEvent.click(await button('Start now'));
  expect(await screen.findByText('Question 1 of 1')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'What is an effect?' })).toBeVisible();
});

test('if the list cannot be reloaded, the cached one is used', async () => {
  fakeDevices();
  renderApp('/');
  const link = await screen.findByRole('link', { name: 'Take Interview: Set 1' });
  server.use(http.get('*/api/interviews/sets', () => new HttpResponse(null, { status: 502 })));
  await userEvent.click(link);
  await userEvent.click(await button('Start now'));
  expect(await screen.findByText('Recording in progress...')).toBeVisible();
});
