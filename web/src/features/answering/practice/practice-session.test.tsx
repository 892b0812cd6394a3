import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { server, signInBefore, userOf } from '../../../test/fake-api.ts';
import { practiceSetOf } from '../../../test/fake-catalog.ts';
import { type FakeDevices, fakeDevices } from '../../../test/fake-devices.ts';
import { uploadHandlers } from '../../../test/held-uploads.ts';
import { renderApp } from '../../../test/render-app.tsx';

const set = practiceSetOf(1, { answers: ['A hook is a function.', 'Keys tell `items` apart.'] });
const address = `/practice/session/${set._id}`;

let devices: FakeDevices;
let uploads: Record<string, unknown>[];

/** Completes each upload at once. */
const save = () =>
  uploadHandlers(({ target, parts }) => {
    uploads.push({ ...target, sizeBytes: parts.reduce((sum, bytes) => sum + bytes, 0) });
    const recording = { _id: `recording-${uploads.length}`, questionId: target.questionId };
    return HttpResponse.json({ recording }, { status: 201 });
  }).handlers;

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  uploads = [];
  devices = fakeDevices();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  server.use(
    ...save(),
    http.get('*/api/practice/:id', ({ params }) =>
      params.id === set._id ? HttpResponse.json({ practiceSet: set }) : new HttpResponse(null, { status: 404 }),
    ),
    http.get('*/api/practice/history', () => HttpResponse.json({ recordings: [], nextCursor: null, total: 0 })),
  );
  signInBefore('others');
});
afterEach(() => {
  vi.restoreAllMocks();
  server.resetHandlers();
});
afterAll(() => server.close());

const button = (name: string) => screen.findByRole('button', { name });
async function press(name: string) {
  const found = await button(name);
  await waitFor(() => expect(found).toBeEnabled());
  await userEvent.click(found);
}
const recording = () => screen.findByText('Recording in progress...');

test('the first question waits for Start Recording, the next records automatically, Finish leads to the history', async () => {
  const { router } = renderApp(address);
  expect(await screen.findByRole('heading', { level: 1, name: 'What is a hook?' })).toBeVisible();
  expect(screen.getByText('Question 1 of 2')).toBeVisible();
  expect(await screen.findByLabelText('Camera preview')).toBeInTheDocument();
  expect(await button('Next Question')).toBeDisabled();
  expect(await button('Finish Practice')).toBeDisabled();
  expect(screen.queryByText('Recording in progress...')).toBeNull();

  await press('Start Recording');
  await recording();
  expect(screen.getByRole('timer')).toHaveTextContent('0:00');
  expect(await button('Start Recording')).toBeDisabled();

  await press('Next Question');
  expect(await screen.findByText('Recording saved successfully')).toBeVisible();
  expect(await screen.findByRole('heading', { level: 1, name: 'Why keys?' })).toHaveFocus();
  await recording();

  await press('Finish Practice');
  expect(await screen.findByText('You have completed the practice session!')).toBeVisible();
  expect(window.location.pathname).toBe('/practiceInterviews');
  expect(router.state.historyAction).toBe('REPLACE');
  expect(uploads).toHaveLength(2);
  expect(uploads.map(({ questionId }) => questionId)).toEqual([0, 1]);
  expect(uploads[0]).toMatchObject({
    kind: 'practice',
    setId: set._id,
    sessionId: uploads[1]?.sessionId,
    sizeBytes: 20_000,
  });
  expect(sessionStorage.length).toBe(0);
  await waitFor(() =>
    expect(devices.opened.flatMap(({ tracks }) => tracks).every(({ stopped }) => stopped)).toBe(true),
  );
});

test('Next on the last question finishes, Finish on the first one saves it and ends the session', async () => {
  renderApp(address);
  await press('Start Recording');
  await recording();
  await press('Finish Practice');
  expect(await screen.findByText(/^You have \d+ questions? left/)).toBeVisible();
  await press('Keep practicing');
  expect(uploads).toHaveLength(0);
  await press('Finish Practice');
  await press('Finish now');
  expect(await screen.findByText('You have completed the practice session!')).toBeVisible();
  expect(uploads).toHaveLength(1);
});

test('an answer can be heard before it is sent, and recorded again', async () => {
  renderApp(address);
  await press('Start Recording');
  await recording();
  await press('Stop and listen');
  expect(await screen.findByText('Listen to your answer before you send it.')).toBeVisible();
  expect(screen.getByLabelText('Your answer').tagName).toBe('VIDEO');
  expect(uploads).toHaveLength(0);
  await press('Record again');
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Record again' }));
  await recording();
  await press('Stop and listen');
  await press('Send it');
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
  expect(uploads).toMatchObject([{ questionId: 0 }]);
});

test('camera and microphone are recorded as video, at bit rates that allow several minutes', async () => {
  renderApp(address);
  await press('Start Recording');
  await recording();
  expect(devices.recorders.map(({ options }) => options)).toEqual([
    { mimeType: 'video/webm;codecs=vp8,opus', audioBitsPerSecond: 40_000, videoBitsPerSecond: 200_000 },
  ]);
});

test('without a camera only sound is recorded, and the page says why', async () => {
  devices.refused = { camera: 'NotFoundError' };
  renderApp(address);
  expect(await screen.findByText('Only your voice is recorded')).toBeVisible();
  expect(screen.getByText('No camera was found.')).toBeVisible();
  await press('Start Recording');
  await recording();
  expect(devices.recorders.map(({ options }) => options)).toEqual([
    { mimeType: 'audio/webm;codecs=opus', audioBitsPerSecond: 40_000 },
  ]);
  expect(console.error).toHaveBeenCalledWith(expect.objectContaining({ name: 'NotFoundError' }));
});

test('losing the camera during a recording keeps the sound', async () => {
  renderApp(address);
  await press('Start Recording');
  await recording();
  act(() => void devices.opened[0]?.getVideoTracks()[0]?.dispatchEvent(new Event('ended')));
  expect(await screen.findByText('The camera was disconnected.')).toBeVisible();
  await press('Next Question');
  await screen.findByRole('heading', { level: 1, name: 'Why keys?' });
  await recording();
  expect(devices.recorders[1]?.options).toEqual({ mimeType: 'audio/webm;codecs=opus', audioBitsPerSecond: 40_000 });
});

test('losing the microphone during a recording ends it, even with the camera still on', async () => {
  renderApp(address);
  await press('Start Recording');
  await recording();
  act(() => void devices.opened[0]?.getAudioTracks()[0]?.dispatchEvent(new Event('ended')));
  expect(
    await screen.findByText('The microphone was disconnected. Your answer up to that point is kept.'),
  ).toBeVisible();
  expect(uploads).toHaveLength(0);
  await press('Send again');
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
  expect(uploads).toMatchObject([{ questionId: 0 }]);
  expect(await screen.findByText('Reconnect it, then try again.', { exact: false })).toBeVisible();
  await press('Try again');
  await recording();
});

test('losing the microphone before the recording starts shows a message, and nothing hangs', async () => {
  devices.beginsAtOnce = false;
  renderApp(address);
  await press('Start Recording');
  await waitFor(() => expect(devices.recorders).toHaveLength(1));
  act(() => void devices.opened[0]?.getAudioTracks()[0]?.dispatchEvent(new Event('ended')));
  devices.beginsAtOnce = true;
  await press('Try again');
  await recording();
});

test('with camera and microphone denied, the page says what to do and the console why; retrying continues', async () => {
  devices.refused = { camera: 'NotAllowedError', microphone: 'NotAllowedError' };
  renderApp(address);
  expect(await screen.findByText('Camera and microphone are blocked')).toBeVisible();
  expect(screen.getByText(/set 'Camera' and 'Microphone' to 'Allow'/)).toBeVisible();
  expect(screen.getByText('Not recording')).toBeVisible();
  expect(screen.getByText('Camera off')).toBeVisible();
  expect(screen.queryByText('Ready when you are')).toBeNull();
  expect(await button('Start Recording')).toBeDisabled();
  expect(console.error).toHaveBeenCalledWith(expect.objectContaining({ name: 'NotAllowedError' }));
  devices.refused = {};
  await press('Try again');
  await press('Start Recording');
  await recording();
});

test.each([
  [new HttpResponse(null, { status: 502 }), 'Failed to upload practice recording'],
  [HttpResponse.json({ message: 'Please wait a minute' }, { status: 429 }), 'Please wait a minute'],
])('a failed upload keeps the answer and can be sent again without speaking again', async (answer, message) => {
  server.use(http.post('*/api/uploads/:id/complete', () => answer, { once: true }));
  renderApp(address);
  await press('Start Recording');
  await recording();
  await press('Next Question');
  const shown = await screen.findAllByText(message);
  expect(shown).toHaveLength(2);
  expect(screen.getByText(/^Your answer \(0:0\d\) is kept in this tab/)).toBeVisible();
  expect(screen.getByText('Question 1 of 2')).toBeVisible();
  await press('Send again');
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
  expect(uploads).toHaveLength(1);
  expect(devices.recorders).toHaveLength(2);
});

test.each([
  [999, 'Recording too short or empty'],
  [10 * 1024 * 1024 + 1, 'Recording is too large. Please record a shorter answer.'],
])('%i bytes: %s', async (sizeBytes, message) => {
  devices.sizeBytes = sizeBytes;
  renderApp(address);
  await press('Start Recording');
  await recording();
  await press('Next Question');
  expect(await screen.findByText(message)).toBeVisible();
  expect(uploads).toHaveLength(0);
  devices.sizeBytes = 20_000;
  await press('Record again');
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  await recording();
});

test('a reload continues at the same question of the same session', async () => {
  const sessionId = crypto.randomUUID();
  const kept = { sessionId, questions: set.questions, index: 1, saved: [{ _id: 'a', askedIndex: 0 }] };
  sessionStorage.setItem(`interview:${userOf('others').id}:${set._id}`, JSON.stringify(kept));
  renderApp(address);
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
  await press('Start Recording');
  await recording();
  await press('Next Question');
  expect(await screen.findByText('You have completed the practice session!')).toBeVisible();
  expect(uploads).toMatchObject([{ sessionId, questionId: 1 }]);
});

test('leaving during a recording asks first, and aborts the session once confirmed', async () => {
  renderApp(address);
  await press('Start Recording');
  await recording();
  await userEvent.click(screen.getByRole('link', { name: 'Leave' }));
  await press('Keep going');
  await recording();
  await userEvent.click(screen.getByRole('link', { name: 'Leave' }));
  await press('Leave the session');
  expect(await screen.findByRole('heading', { name: 'Practice Interview' })).toBeVisible();
  expect(uploads).toHaveLength(0);
});

test('an unknown set and a missing set id show their messages', async () => {
  const { unmount } = renderApp('/practice/session/ffffffffffffffffffffffff');
  expect(await screen.findByText('Practice set not found')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Choose a practice set' })).toHaveAttribute('href', '/practice');
  unmount();
  renderApp('/practice/session');
  expect(await screen.findByText('No practice set selected')).toBeVisible();
});

test('a set that cannot be loaded can be retried', async () => {
  server.use(http.get('*/api/practice/:id', () => new HttpResponse(null, { status: 500 }), { once: true }));
  renderApp(address);
  expect(await screen.findByText('Failed to fetch practice set')).toBeVisible();
  await press('Try again');
  expect(await screen.findByRole('heading', { level: 1, name: 'What is a hook?' })).toBeVisible();
});
