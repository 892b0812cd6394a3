import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../../../lib/paths.ts';
import {
  interviewDetail,
  interviewId,
  interviewRecording,
  recordingId,
} from '../../../test/history/history-fixtures.ts';
import { openApp, server } from '../../../test/history/open-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const shows = (...recordings: ReturnType<typeof interviewRecording>[]) =>
  server.use(http.get(`/api/interviews/${interviewId}`, () => HttpResponse.json(interviewDetail({ recordings }))));
const open = (user = {}) => openApp(paths.interviewDetail(interviewId), user);

describe('correcting a transcript', () => {
  it('sends the corrected words, and shows that the answer is being rescored', async () => {
    shows(interviewRecording());
    const sent: unknown[] = [];
    server.use(
      http.put(`/api/recordings/${recordingId}/transcript`, async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ message: 'Rescoring…' }, { status: 202 });
      }),
    );
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Edit the transcript' }));
    const field = screen.getByRole('textbox', { name: 'What you said' });
    expect(field).toHaveFocus();
    expect(screen.getByRole('button', { name: 'Save and rescore' })).toBeDisabled();
    await user.type(field, ' Always.');
    await user.click(screen.getByRole('button', { name: 'Save and rescore' }));
    expect(await screen.findByText('Scoring the answer')).toBeVisible();
    expect(sent).toEqual([{ text: 'A closure remembers its scope. Always.' }]);
    expect(screen.queryByRole('button', { name: 'Edit the transcript' })).toBeNull();
  });

  it('shows why it was refused, and keeps the words', async () => {
    shows(interviewRecording());
    server.use(
      http.put(`/api/recordings/${recordingId}/transcript`, () =>
        HttpResponse.json({ message: 'The answer is still being processed', code: 'conflict' }, { status: 409 }),
      ),
    );
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Edit the transcript' }));
    await user.type(screen.getByRole('textbox', { name: 'What you said' }), ' Always.');
    await user.click(screen.getByRole('button', { name: 'Save and rescore' }));
    expect(await screen.findByText('The answer is still being processed')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'What you said' })).toHaveValue(
      'A closure remembers its scope. Always.',
    );
  });

  it("is available only to the answer's owner", async () => {
    shows(interviewRecording());
    open({ email: 'admin@example.com', role: 'admin' });
    await screen.findByText('Points');
    expect(screen.queryByRole('button', { name: 'Edit the transcript' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'I said this' })).toBeNull();
  });

  it('marks changes, and shows the original transcript', async () => {
    const { transcription } = interviewRecording();
    const words = transcription.words?.map((word, at) => (at === 1 ? { ...word, word: 'closet', edited: true } : word));
    shows(
      interviewRecording({
        transcription: {
          ...transcription,
          text: 'A closet remembers its scope.',
          words,
          original: { text: transcription.text },
          correctedAt: '2026-11-20T09:00:00.000Z',
        },
      }),
    );
    const { user } = open();
    expect(await screen.findByTitle('Edited by you')).toHaveTextContent('closet');
    expect(screen.getByText('Edited words')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show the original' }));
    expect(screen.getByText('closure', { selector: 'del' })).toBeVisible();
    expect(screen.getByText('closet', { selector: 'ins' })).toBeVisible();
  });

  it('shows an edit that waits for a review, and the words that the score is based on', async () => {
    const { transcription, assessment } = interviewRecording();
    const createdAt = '2026-11-20T09:00:00.000Z';
    const appeal = { reason: 'More than a third of the transcript was edited.', createdAt, automatic: true };
    shows(
      interviewRecording({
        transcription: { ...transcription, proposed: { text: 'Something else entirely.', createdAt, why: 'changed' } },
        assessment: { ...assessment, appeal },
      }),
    );
    const { user } = open();
    expect(await screen.findByText('Sent for review')).toBeVisible();
    expect(screen.getByText(/1 with edited words, not yet reviewed/)).toBeVisible();
    expect(screen.getByText(/until a reviewer decides, the score is for the words as heard/)).toBeVisible();
    expect(screen.getByText(appeal.reason)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show the edit' }));
    expect(screen.getByText(/Something else/, { selector: 'ins' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Edit the transcript' }));
    expect(screen.getByRole('textbox', { name: 'What you said' })).toHaveValue('Something else entirely.');
  });

  it('limits the number of words', async () => {
    shows(interviewRecording());
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Edit the transcript' }));
    await user.click(screen.getByRole('textbox', { name: 'What you said' }));
    await user.paste(' word'.repeat(300));
    expect(screen.getByText(/Use at most 210 words/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Save and rescore' })).toBeDisabled();
  });
});

describe('"I said this"', () => {
  it('sends the marked words, using the keyboard', async () => {
    shows(interviewRecording());
    const sent: unknown[] = [];
    server.use(
      http.post(`/api/recordings/${recordingId}/points/1/claim`, async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ message: 'Rescoring…' }, { status: 202 });
      }),
    );
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: /^Not mentioned/ }));
    await user.click(screen.getByRole('button', { name: 'I said this' }));
    const dialog = await screen.findByRole('dialog', { name: 'I said this' });
    const judge = within(dialog).getByRole('button', { name: 'Rescore' });
    expect(judge).toBeDisabled();
    within(dialog).getByRole('button', { name: 'A' }).focus();
    await user.keyboard('{ArrowRight}{Enter}{ArrowRight}{ArrowRight}{Enter}');
    expect(within(dialog).getByRole('button', { name: 'remembers' })).toHaveAttribute('aria-pressed', 'true');
    await user.click(judge);
    await waitFor(() => expect(sent).toEqual([{ firstWord: 1, lastWord: 3 }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('shows the result for the words, and for the whole answer', async () => {
    const point = { text: 'Private state', covered: true, evidence: 'its scope', weight: 40 };
    shows(
      interviewRecording({
        assessment: {
          status: 'completed',
          points: [
            {
              ...point,
              state: 'covered',
              credit: 32,
              claim: {
                firstWord: 3,
                lastWord: 4,
                text: 'its scope',
                startMs: 0,
                endMs: 9,
                state: 'covered',
                credit: 32,
              },
              machine: { state: 'missing', credit: 0, evidence: '' },
            },
          ],
        },
      }),
    );
    open();
    expect(await screen.findByText('covered, 32 of 40')).toBeVisible();
    expect(screen.getByText('not mentioned, 0 of 40')).toBeVisible();
  });
});
