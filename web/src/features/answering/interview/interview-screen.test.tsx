import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { quickSetOf, server, userOf } from '../../../test/fake-api.ts';
import { fakeDevices } from '../../../test/fake-devices.ts';
import { savedAs } from '../../../test/held-uploads.ts';
import { interviewDetail, interviewRecording } from '../../../test/history/history-fixtures.ts';
import { LiveServer } from '../../../test/history/open-app.tsx';
import { prepareRecording } from '../../../test/prepare-recording.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { keepProgress } from '../session/session-progress.ts';

const set = quickSetOf(1);
const address = `/interview/${set._id}`;

const held = prepareRecording();

const button = (name: string) => screen.findByRole('button', { name });
/** Matches toasts only: the screen may show the same text, and sooner. */
const toasted = (kind: string, words: string) =>
  waitFor(() =>
    expect(
      screen.getAllByText(words).map((text) => text.closest<HTMLElement>('[data-toast]')?.dataset.toast),
    ).toContain(kind),
  );
async function begin() {
  const app = renderApp(address);
  await userEvent.click(await button('Start now'));
  return app;
}

test('each question is recorded automatically, uploaded and saved, and the last one completes the interview', async () => {
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
  (await held.latest(1)).answer(savedAs(0));
  expect(await screen.findByText('Recording saved successfully')).toBeVisible();

  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
  expect(await screen.findByText('Recording in progress...')).toBeVisible();
  await userEvent.click(await button('Complete Interview'));
  (await held.latest(2)).answer(savedAs(1));
  expect(await screen.findByText('Interview completed successfully')).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'Interview History' })).toBeVisible();
  expect(window.location.pathname).toBe('/interviews');
  expect(router.state.historyAction).toBe('REPLACE');

  const sent = held.uploads.map(({ target }) => target);
  expect(sent).toMatchObject([{ questionId: 0, setId: set._id, kind: 'interview' }, { questionId: 1 }]);
  expect(sent[0]?.sessionId).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(sent[1]?.sessionId).toBe(sent[0]?.sessionId);
});

test('the indicator shows Initializing... until there is sound; then the timer ticks each second, m:ss', async () => {
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

test('a failed upload shows a message and stays on the question', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  fakeDevices();
  await begin();
  await userEvent.click(await button('Next Question'));
  (await held.latest(1)).answer(new HttpResponse(null, { status: 500 }));
  expect(await screen.findByText('Failed to save recording. Please try again.')).toBeVisible();
  expect(screen.getByText('Failed to upload recording')).toBeVisible();
  expect(screen.getByText('Question 1 of 2')).toBeVisible();
  const again = await button('Next Question');
  expect(again).toHaveAccessibleDescription('Saved on this device. Select Next Question to retry.');
  await userEvent.click(again);
  (await held.latest(2)).answer(savedAs(0));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
});

test('an unsent answer is sent when the network is back, and nothing is recorded before a click', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { recorders } = fakeDevices();
  await begin();
  await userEvent.click(await button('Next Question'));
  (await held.latest(1)).answer(HttpResponse.error());
  expect(await screen.findByText('Failed to save recording. Please try again.')).toBeVisible();
  await button('Next Question');
  act(() => void window.dispatchEvent(new Event('online')));
  (await held.latest(2)).answer(savedAs(0));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
  expect(await screen.findByText('Ready when you are')).toBeVisible();
  expect(recorders).toHaveLength(1);
  await userEvent.click(await button('Answer now'));
  expect(await screen.findByText('Recording in progress...')).toBeVisible();
});

test('offline, an answer waits while the next question is answered; both are sent when the network is back', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  fakeDevices();
  const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  onTestFinished(() => network.mockRestore());
  await begin();
  await userEvent.click(await button('Next Question'));
  (await held.latest(1)).answer(HttpResponse.error());
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(await screen.findByText(/^You're offline\. Keep this tab open/)).toBeVisible();
  expect(screen.queryByText('Failed to save recording. Please try again.')).toBeNull();
  await userEvent.click(await button('Continue and send later'));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
  await userEvent.click(await button('Complete Interview'));
  (await held.latest(2)).answer(HttpResponse.error());
  await userEvent.click(await button('Finish and send later'));
  expect(await screen.findByText(/^2 answers are saved on this device/)).toBeVisible();
  act(() => void window.dispatchEvent(new Event('online')));
  (await held.latest(3)).answer(savedAs(0));
  await waitFor(() => expect(screen.getByText(/^1 answer is saved/)).toBeVisible());
  act(() => void window.dispatchEvent(new Event('online')));
  (await held.latest(4)).answer(savedAs(1));
  expect(await screen.findByText('Interview completed successfully')).toBeVisible();
});

test('a candidate can stop and listen before sending, and skip a question', async () => {
  fakeDevices();
  await begin();
  await userEvent.click(await button('Stop and listen'));
  expect(await screen.findByText('Listen to your answer before you send it.')).toBeVisible();
  await screen.findByLabelText('Your answer');
  expect(held.uploads).toEqual([]);
  await userEvent.click(await button('Skip this question'));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Skip this question' }));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
  await userEvent.click(await button('Complete Interview'));
  const { target, answer } = await held.latest(1);
  expect(target.questionId).toBe(1);
  answer(savedAs(1));
  expect(await screen.findByText('Interview completed successfully')).toBeVisible();
});

test('an answer can be started over during recording, after a confirmation', async () => {
  const { recorders } = fakeDevices();
  await begin();
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Start this answer over'));
  await button('Keep it');
  expect(recorders).toHaveLength(1);
  await userEvent.click(await button('Start over'));
  await waitFor(() => expect(recorders).toHaveLength(2));
  expect(held.uploads).toEqual([]);
});

test('a recorder that does not start shows a message', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  fakeDevices({ broken: true });
  await begin();
  await toasted('error', 'Failed to start recording');
  expect(logged).toHaveBeenCalled();
});

test('a failing recorder shows a message', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { recorders } = fakeDevices({ sizeBytes: 999 });
  await begin();
  await screen.findByText('Recording in progress...');
  act(() => recorders[0]?.fail(new Error('The disk is full')));
  await toasted('error', 'Failed to save recording');
  expect(logged).toHaveBeenCalledWith(new Error('The disk is full'));
});

test('an empty recording is rejected, not sent', async () => {
  fakeDevices({ sizeBytes: 999 });
  await begin();
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Next Question'));
  expect(await screen.findByText('Recording too short or empty')).toBeVisible();
  expect(held.uploads).toEqual([]);
});

test('an interview with a missing answer is not completed: it says so and returns to the question', async () => {
  keepProgress(userOf('others').id, set._id, {
    sessionId: '11111111-2222-4333-8444-555555555555',
    questions: set.questions,
    asked: [0, 1],
    index: 1,
    saved: [],
  });
  fakeDevices();
  renderApp(address);
  await userEvent.click(await button('Continue with question 2'));
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Complete Interview'));
  (await held.latest(1)).answer(savedAs(1));
  expect(await screen.findByText('Failed to save interview recordings')).toBeVisible();
  expect(await screen.findByText('Question 1 of 2')).toBeVisible();
  expect(window.location.pathname).toBe(address);
});

test('a denied microphone is logged; the page shows what to do, without a toast', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  fakeDevices({ refused: { microphone: 'NotAllowedError' } });
  renderApp(address);
  expect(await screen.findByText('The microphone is blocked')).toBeVisible();
  expect(logged).toHaveBeenCalledWith(expect.objectContaining({ name: 'NotAllowedError' }));
  expect(document.querySelector('[data-toast]')).toBeNull();
});

test('an unknown id leads home', async () => {
  fakeDevices();
  renderApp(`/interview/${'f'.repeat(24)}`);
  expect(await screen.findByRole('heading', { name: 'Interview Sets' })).toBeVisible();
  expect(window.location.pathname).toBe('/');
});

test('a set with a language says which language to speak', async () => {
  fakeDevices();
  server.use(
    http.get('*/api/interviews/sets', () => HttpResponse.json({ interviewSets: [{ ...set, language: 'de' }] })),
  );
  renderApp(address);
  expect(await screen.findByText(`${set.title} · in German`)).toBeVisible();
});

test('selected questions form a separate interview', async () => {
  fakeDevices();
  const { router } = renderApp(`${address}?questions=2`);
  await userEvent.click(await button('Start now'));
  expect(await screen.findByText('Question 1 of 1')).toBeVisible();
  expect(screen.getByRole('heading', { name: set.questions[1] ?? '' })).toBeVisible();
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Complete Interview'));
  const { target, answer } = await held.latest(1);
  expect(target.questionId).toBe(1);
  expect(target.askedQuestions).toEqual([1]);
  answer(savedAs(1));
  expect(await screen.findByText('Interview completed successfully')).toBeVisible();
  expect(router.state.location.pathname).toBe('/interviews');
});

test('an interview begun in another browser continues at its first open question, in the same session', async () => {
  fakeDevices();
  const detail = interviewDetail({
    userId: userOf('others').id,
    interviewSetId: set._id,
    questions: set.questions,
    recordings: [interviewRecording({ questionId: 0 })],
  });
  server.use(http.get(`/api/interviews/${detail._id}`, () => HttpResponse.json(detail)));
  renderApp(`${address}?continue=${detail._id}`);
  await userEvent.click(await button('Continue with question 2'));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
  expect(screen.getByRole('list', { name: '1 of 2 answers saved' })).toBeVisible();
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Complete Interview'));
  const { target, answer } = await held.latest(1);
  expect(target).toMatchObject({ sessionId: detail.sessionId, questionId: 1 });
  expect(target.askedQuestions).toBeUndefined();
  answer(savedAs(1));
  expect(await screen.findByText('Interview completed successfully')).toBeVisible();
});

test('a completed interview is shown instead', async () => {
  fakeDevices();
  const detail = interviewDetail({ userId: userOf('others').id, interviewSetId: set._id });
  server.use(http.get(`/api/interviews/${detail._id}`, () => HttpResponse.json(detail)));
  const { router } = renderApp(`${address}?continue=${detail._id}`);
  await waitFor(() => expect(router.state.location.pathname).toBe(`/interviews/${detail._id}`));
});

test('words appear as they are transcribed, once the candidate turns this on', async () => {
  const live = new LiveServer();
  let uploadId = '';
  const noteId = http.put('*/api/uploads/:id', ({ params: { id } }) => {
    uploadId = String(id);
  });
  server.use(live.handler, noteId);
  onTestFinished(() => live.end());
  const { recorders } = fakeDevices();
  await begin();
  await screen.findByText('Recording in progress...');
  act(() => recorders[0]?.give(5000));
  await waitFor(() => expect(uploadId).not.toBe(''));
  await userEvent.click(await button('Show words as I speak'));
  const panel = await screen.findByRole('region', { name: 'Words as you speak' });
  await waitFor(() => expect(live.listeners).toBe(1));
  live.send({ uploadId: 'another', text: 'Not mine' });
  live.send({ uploadId, text: 'A hook is' });
  await waitFor(() => expect(panel).toHaveTextContent('A hook is'));
  await userEvent.click(await button('Show words as I speak'));
  expect(panel).not.toBeInTheDocument();
  expect(localStorage.getItem(`words:${userOf('others').id}`)).toBeNull();
});
