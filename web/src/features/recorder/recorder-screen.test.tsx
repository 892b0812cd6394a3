import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { keepProgress } from '../../media/session-progress.ts';
import { server, setOf, signInBefore, userOf } from '../../test/fake-api.ts';
import { fakeDevices } from '../../test/fake-devices.ts';
import { renderApp } from '../../test/render-app.tsx';

const set = setOf(1);
const address = `/interview/${set._id}`;

interface Upload {
  form: FormData;
  answer: (response: Response) => void;
}
let uploads: Upload[];

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  uploads = [];
  server.use(
    http.post('*/api/interviews/recordings', async ({ request }) => {
      const form = await request.formData();
      return new Promise<Response>((resolve) => {
        uploads.push({ form, answer: resolve });
      });
    }),
  );
  signInBefore('others');
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  server.resetHandlers();
});
afterAll(() => server.close());

const saved = (questionId: number) =>
  HttpResponse.json({ recording: { _id: `r${questionId}`, questionId } }, { status: 201 });
const button = (name: string) => screen.findByRole('button', { name });
/** The screen itself may say the same, and sooner: the toasts come with a piece of their own. */
const toasted = (kind: string, words: string) =>
  waitFor(() =>
    expect(
      screen.getAllByText(words).map((text) => text.closest<HTMLElement>('[data-toast]')?.dataset.toast),
    ).toContain(kind),
  );
const begin = async () => {
  const app = renderApp(address);
  await userEvent.click(await button('Start now'));
  return app;
};
const latest = async (count: number): Promise<Upload> => {
  await waitFor(() => expect(uploads).toHaveLength(count));
  return uploads.at(-1) as Upload;
};

test('question by question: recorded by itself, sent, saved, and in the end completed', async () => {
  const { asked } = fakeDevices();
  const { router } = await begin();
  expect(asked).toEqual([{ audio: { channelCount: 1 } }]);
  expect(await screen.findByText('Question 1 of 2')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'What is a hook?' })).toBeVisible();
  expect(await screen.findByText('Recording in progress...')).toBeVisible();

  await userEvent.click(await button('Next Question'));
  expect(await button('Processing...')).toHaveAttribute('aria-disabled', 'true');
  await toasted('info', 'Uploading recording...');
  await userEvent.click(await button('Processing...'));
  (await latest(1)).answer(saved(0));
  expect(await screen.findByText('Recording saved successfully')).toBeVisible();

  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
  expect(await screen.findByText('Recording in progress...')).toBeVisible();
  await userEvent.click(await button('Complete Interview'));
  (await latest(2)).answer(saved(1));
  expect(await screen.findByText('Interview completed successfully')).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'Interview History' })).toBeVisible();
  expect(window.location.pathname).toBe('/interviews');
  expect(router.state.historyAction).toBe('REPLACE');

  const sent = uploads.map(({ form }) => Object.fromEntries(form));
  expect(sent).toMatchObject([
    { questionId: '0', interviewSetId: set._id, interviewSetTitle: 'Set 1', technologyCategory: 'React' },
    { questionId: '1' },
  ]);
  expect(sent[0]?.sessionId).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(sent[1]?.sessionId).toBe(sent[0]?.sessionId);
});

test('the indicator reads Initializing... until there is sound; then the timer ticks each second, m:ss', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval', 'Date'] });
  const { recorders } = fakeDevices({ beginsAtOnce: false });
  await begin();
  expect(await screen.findByText('Initializing...')).toBeVisible();
  expect(screen.queryByRole('timer')).toBeNull();
  expect(await button('Next Question')).toBeDisabled();
  await waitFor(() => expect(recorders).toHaveLength(1));
  act(() => recorders[0]?.begin());
  expect(await screen.findByText('Recording in progress...')).toBeVisible();
  const timer = screen.getByRole('timer');
  const before = Number(timer.textContent?.split(':')[1]);
  expect(timer.textContent).toMatch(/^0:0\d$/);
  act(() => void vi.advanceTimersByTime(1000));
  expect(timer).toHaveTextContent(`0:0${before + 1}`);
  act(() => void vi.advanceTimersByTime(64_000));
  expect(timer.textContent).toMatch(/^1:0\d$/);
});

test('a failed upload says so and stays on the question', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  fakeDevices();
  await begin();
  await userEvent.click(await button('Next Question'));
  (await latest(1)).answer(new HttpResponse(null, { status: 500 }));
  expect(await screen.findByText('Failed to save recording. Please try again.')).toBeVisible();
  expect(screen.getByText('Failed to upload recording')).toBeVisible();
  expect(screen.getByText('Question 1 of 2')).toBeVisible();
  const again = await button('Next Question');
  expect(again).toHaveAccessibleDescription("Your answer is kept: 'Next Question' sends it again.");
  await userEvent.click(again);
  (await latest(2)).answer(saved(0));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
});

test('a recorder that does not start is told', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  fakeDevices({ broken: true });
  await begin();
  await toasted('error', 'Failed to start recording');
  expect(logged).toHaveBeenCalled();
});

test('a recorder that breaks is told', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { recorders } = fakeDevices({ sizeBytes: 999 });
  await begin();
  await screen.findByText('Recording in progress...');
  act(() => recorders[0]?.fail(new Error('The disk is full')));
  await toasted('error', 'Failed to save recording');
  expect(logged).toHaveBeenCalledWith(new Error('The disk is full'));
});

test('a recorder that breaks leaves what was said, and it can be sent', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { recorders } = fakeDevices();
  await begin();
  await screen.findByText('Recording in progress...');
  act(() => recorders[0]?.give(4000));
  act(() => recorders[0]?.fail(new Error('The encoder broke')));
  expect(
    await screen.findByText('The browser broke off the recording. What you said until then is kept.'),
  ).toBeVisible();
  expect(uploads).toEqual([]);
  await userEvent.click(await button('Next Question'));
  const { form, answer } = await latest(1);
  expect(form.get('audio')).toHaveProperty('size', 24_000);
  answer(saved(0));
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

test('an insecure address: the page says that recording needs a secure one', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  fakeDevices();
  Reflect.deleteProperty(navigator, 'mediaDevices');
  vi.stubGlobal('isSecureContext', false);
  vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    throw new TypeError('crypto.randomUUID is not a function');
  });
  renderApp(address);
  expect(await screen.findByText('Recording needs a secure address')).toBeVisible();
});

test('a recording of nothing is refused, not sent', async () => {
  fakeDevices({ sizeBytes: 999 });
  await begin();
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Next Question'));
  expect(await screen.findByText('Recording too short or empty')).toBeVisible();
  expect(uploads).toEqual([]);
});

test('an interview that lacks an answer is not completed: it is told, and the question asked again', async () => {
  keepProgress(userOf('others').id, set._id, {
    sessionId: '11111111-2222-4333-8444-555555555555',
    questions: set.questions,
    index: 1,
    saved: [],
  });
  fakeDevices();
  renderApp(address);
  await userEvent.click(await button('Go on with question 2'));
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Complete Interview'));
  (await latest(1)).answer(saved(1));
  expect(await screen.findByText('Failed to save interview recordings')).toBeVisible();
  expect(await screen.findByText('Question 1 of 2')).toBeVisible();
  expect(window.location.pathname).toBe(address);
});

test('where the browser stores nothing, leaving says so; who comes back in the same tab may send it', async () => {
  fakeDevices();
  await begin();
  await screen.findByText('Recording in progress...');
  await userEvent.click(screen.getByRole('link', { name: 'Leave' }));
  expect(await screen.findByText(/is in this tab only.* It is lost if the tab is closed or reloaded\.$/)).toBeVisible();
  await userEvent.click(await button('Leave the interview'));
  await userEvent.click(await screen.findByRole('link', { name: 'Take Interview: Set 1' }));
  expect(await screen.findByRole('heading', { name: 'Not sent yet' })).toBeVisible();
  expect(screen.getByText(/lost if this tab is closed or reloaded/)).toBeVisible();
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
  await userEvent.click(await button('Send'));
  const { form, answer } = await latest(1);
  expect(form.get('audio')).toHaveProperty('size', 20_000);
  answer(saved(0));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
});

test('where the browser stores nothing, an answer outlives a session that ends', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const user = { ...userOf('others'), token: 'another token' };
  server.use(http.post('*/api/auth/login', () => HttpResponse.json({ user })));
  fakeDevices();
  await begin();
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Next Question'));
  (await latest(1)).answer(HttpResponse.json({ message: 'Your session has ended' }, { status: 401 }));
  await userEvent.type(await screen.findByLabelText('Email'), user.email);
  await userEvent.type(screen.getByLabelText('Password', { selector: 'input' }), 'some password');
  await userEvent.click(await button('Sign In'));
  expect(await screen.findByRole('heading', { name: 'Not sent yet' })).toBeVisible();
  await userEvent.click(await button('Send'));
  (await latest(2)).answer(saved(0));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
  expect(uploads[1]?.form.get('sessionId')).toBe(uploads[0]?.form.get('sessionId'));
});

test('an unsent answer that is recorded again is forgotten', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  fakeDevices();
  const leaveAndReturn = async () => {
    await screen.findByText('Recording in progress...');
    await userEvent.click(screen.getByRole('link', { name: 'Leave' }));
    await userEvent.click(await button('Leave the interview'));
    await userEvent.click(await screen.findByRole('link', { name: 'Take Interview: Set 1' }));
    await screen.findByRole('heading', { name: 'Not sent yet' });
  };
  await begin();
  await leaveAndReturn();
  await userEvent.click(await button('Send'));
  (await latest(1)).answer(new HttpResponse(null, { status: 500 }));
  expect(await screen.findByText(/^Your answer \(0:0\d\) is kept in this tab/)).toBeVisible();
  await userEvent.click(await button('Record again'));
  await leaveAndReturn();
  expect(screen.getAllByRole('button', { name: 'Send' })).toHaveLength(1);
});

test('a set that was edited since is begun anew, and that is told', async () => {
  const sessionId = '11111111-2222-4333-8444-555555555555';
  const former = { sessionId, questions: ['What was a hook?'], index: 0, saved: [{ _id: 'a', questionId: 0 }] };
  keepProgress(userOf('others').id, set._id, former);
  fakeDevices();
  await begin();
  await toasted(
    'info',
    'This set has changed since you began, so this is a new session. What you saved before is in the history.',
  );
  expect(await screen.findByText('Question 1 of 2')).toBeVisible();
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Next Question'));
  const { form, answer } = await latest(1);
  expect(form.get('sessionId')).not.toBe(sessionId);
  answer(saved(0));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
});

test('a question that the session does not have on the server: told, and who comes back begins a new session', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  fakeDevices();
  keepProgress(userOf('others').id, set._id, {
    sessionId: '11111111-2222-4333-8444-555555555555',
    questions: set.questions,
    index: 1,
    saved: [{ _id: 'a', questionId: 0 }],
  });
  renderApp(address);
  await userEvent.click(await button('Go on with question 2'));
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Complete Interview'));
  const message = 'The set has no such question';
  const details = [{ path: 'questionId', message }];
  (await latest(1)).answer(HttpResponse.json({ message, code: 'bad_request', details }, { status: 400 }));
  expect(await screen.findByText(/this question is no longer in it\. Leave and come back/)).toBeVisible();
  await userEvent.click(screen.getByRole('link', { name: 'Leave' }));
  await userEvent.click(await button('Leave the interview'));
  await userEvent.click(await screen.findByRole('link', { name: 'Take Interview: Set 1' }));
  await userEvent.click(await button('Discard'));
  await userEvent.click(await button('Start now'));
  await screen.findByText('Recording in progress...');
  expect(screen.getByText('Question 1 of 2')).toBeVisible();
});

test('what is asked is the set as it is now, not as the list had it', async () => {
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

test('where the list cannot be had anew, the one at hand will do', async () => {
  fakeDevices();
  renderApp('/');
  const link = await screen.findByRole('link', { name: 'Take Interview: Set 1' });
  server.use(http.get('*/api/interviews/sets', () => new HttpResponse(null, { status: 502 })));
  await userEvent.click(link);
  await userEvent.click(await button('Start now'));
  expect(await screen.findByText('Recording in progress...')).toBeVisible();
});

test('a refused microphone is logged; the page says what to do, no toast does', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  fakeDevices({ refused: { microphone: 'NotAllowedError' } });
  renderApp(address);
  expect(await screen.findByText('The microphone is blocked')).toBeVisible();
  expect(logged).toHaveBeenCalledWith(expect.objectContaining({ name: 'NotAllowedError' }));
  expect(document.querySelector('[data-toast]')).toBeNull();
});

test('an id that no set has leads home', async () => {
  fakeDevices();
  renderApp(`/interview/${'f'.repeat(24)}`);
  expect(await screen.findByRole('heading', { name: 'Interview Sets' })).toBeVisible();
  expect(window.location.pathname).toBe('/');
});
