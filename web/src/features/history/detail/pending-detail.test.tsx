import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  candidate,
  interviewDetail,
  interviewId,
  interviewRecording,
  pendingRecording,
  recordingId,
} from '../../../test/history/history-fixtures.ts';
import { LiveServer, openApp, server } from '../../../test/history/open-app.tsx';
import { tokenOf } from '../../../test/token-of.ts';

let live: LiveServer;

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  live = new LiveServer();
  server.use(live.handler);
});
afterEach(() => {
  live.end();
  server.resetHandlers();
});
afterAll(() => server.close());

const path = `/interviews/${interviewId}`;
const serveDetail = (detail: () => unknown) =>
  server.use(http.get(`/api/interviews/${interviewId}`, () => HttpResponse.json(detail() as object)));
const question = (number: number) => screen.findByRole('article', { name: `Question ${number}` });

describe('a recording that is being processed', () => {
  it('fills in as live updates arrive', async () => {
    let recording = pendingRecording();
    serveDetail(() => interviewDetail({ recordings: [recording] }));
    openApp(path);
    const card = await question(1);
    expect(within(card).getByRole('status')).toHaveTextContent('Preparing the audio');
    await waitFor(() => expect(live.listeners).toBe(1));
    const head = { sessionId: 'session-of-detail', recordingId };

    live.send({ ...head, stage: 'transcription', status: 'started' });
    await waitFor(() => expect(within(card).getByRole('status')).toHaveTextContent('Transcribing'));
    const progress = { percent: 40, text: 'A closure is' };
    live.send({ ...head, stage: 'transcription', status: 'started', progress });
    await waitFor(() => expect(within(card).getByRole('status')).toHaveTextContent('Transcribing 40%'));
    expect(within(card).getByText('A closure is…')).toBeVisible();

    recording = {
      ...interviewRecording(),
      isCorrect: null,
      correctnessPercentage: null,
      assessment: { status: 'pending' },
    };
    live.send({ ...head, stage: 'transcription', status: 'completed' });
    expect(await within(card).findByText('closure')).toBeVisible();
    expect(within(card).getByRole('status')).toHaveTextContent('Scoring the answer');

    recording = interviewRecording();
    live.send({ ...head, stage: 'assessment', status: 'completed' });
    await waitFor(() => expect(card).toHaveTextContent(/Correct\s*·\s*82%/));
    expect(within(card).queryByRole('status')).not.toBeInTheDocument();
  });

  it.each([
    { when: 'when asked', isAsked: true },
    { when: 'after a while', isAsked: false },
  ])('shows why it could not be refreshed, and retries $when', async ({ isAsked }) => {
    let recording = pendingRecording();
    serveDetail(() => interviewDetail({ recordings: [recording] }));
    const { user } = openApp(path);
    const card = await question(1);
    await waitFor(() => expect(live.listeners).toBe(1));
    server.use(
      http.get(`/api/interviews/${interviewId}`, () => HttpResponse.json({}, { status: 503 }), { once: true }),
    );
    live.send({ sessionId: 'session-of-detail', recordingId, stage: 'assessment', status: 'completed' });
    expect(await screen.findByText('Failed to fetch interview details')).toBeVisible();
    expect(card).toBeVisible();
    recording = interviewRecording();
    if (isAsked) await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(card).toHaveTextContent(/Correct\s*·\s*82%/), { timeout: 8000 });
    expect(screen.queryByText('Failed to fetch interview details')).not.toBeInTheDocument();
  });

  it('is reloaded once the live connection is back, without requests in the meantime', async () => {
    let recording = pendingRecording();
    let asked = 0;
    serveDetail(() => {
      asked += 1;
      return interviewDetail({ recordings: [recording] });
    });
    openApp(path);
    const card = await question(1);
    await waitFor(() => expect([live.listeners, asked]).toEqual([1, 2]));
    recording = interviewRecording();
    live.end();
    expect(card).toHaveTextContent('Preparing the audio');
    await waitFor(() => expect(card).toHaveTextContent(/Correct\s*·\s*82%/), { timeout: 4000 });
    expect(asked).toBe(3);
  });

  it('closes the connection while the tab is hidden, and is reloaded when it is shown', async () => {
    let recording = pendingRecording();
    serveDetail(() => interviewDetail({ recordings: [recording] }));
    openApp(path);
    const card = await question(1);
    await waitFor(() => expect(live.listeners).toBe(1));
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(live.listeners).toBe(0), { timeout: 8000 });
    recording = interviewRecording();
    visibility.mockRestore();
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(card).toHaveTextContent(/Correct\s*·\s*82%/));
  });
});

describe('reprocessing', () => {
  const failed = () =>
    interviewDetail({
      recordings: [
        pendingRecording({
          transcription: { status: 'failed', text: '', completedAt: null, error: 'The speech engine did not answer' },
        }),
      ],
    });

  it('shows the reason, and then the recording in progress again', async () => {
    serveDetail(failed);
    const asked: string[] = [];
    server.use(
      http.post('/api/recordings/:id/reprocess', ({ params, request }) => {
        asked.push(`${params.id} ${request.headers.get('authorization')}`);
        return HttpResponse.json({ message: 'It runs again' }, { status: 202 });
      }),
    );
    const { user } = openApp(path);
    const card = await question(1);
    expect(card).toHaveTextContent('The speech engine did not answer');
    expect(within(card).getByText('Transcription Failed')).toBeVisible();
    await user.click(within(card).getByRole('button', { name: 'Process again' }));
    expect(await within(card).findByRole('status')).toBeVisible();
    expect(within(card).getByText('Transcription Not Available')).toBeVisible();
    expect(asked).toEqual([`${recordingId} Bearer ${tokenOf(candidate)}`]);
  });

  it('shows why it was refused', async () => {
    serveDetail(failed);
    server.use(
      http.post('/api/recordings/:id/reprocess', () =>
        HttpResponse.json({ message: 'It is being processed already', code: 'conflict' }, { status: 409 }),
      ),
    );
    const { user } = openApp(path);
    await user.click(within(await question(1)).getByRole('button', { name: 'Process again' }));
    expect(await screen.findByText('It is being processed already')).toBeVisible();
    expect(within(await question(1)).getByText('Transcription Failed')).toBeVisible();
  });

  it.each([
    ['others', 'stranger@example.com', 0],
    ['admin', 'stranger@example.com', 1],
    ['dev', 'candidate@example.com', 1],
  ] as const)('is available to the owner and admins: %s %s', async (role, email, buttons) => {
    serveDetail(failed);
    openApp(path, { role, email });
    expect(within(await question(1)).queryAllByRole('button', { name: 'Process again' })).toHaveLength(buttons);
  });

  it('is offered for an unscored recording, with the reason', async () => {
    const assessment = { status: 'unscored', reason: 'There is no expert answer to judge by' } as const;
    serveDetail(() =>
      interviewDetail({
        recordings: [interviewRecording({ isCorrect: null, correctnessPercentage: null, assessment })],
      }),
    );
    openApp(path);
    const card = await question(1);
    expect(card).toHaveTextContent('There is no expert answer to judge by');
    expect(within(card).getByRole('button', { name: 'Score again' })).toBeVisible();
    expect(screen.getByText('Not scored yet')).toBeVisible();
  });
});
