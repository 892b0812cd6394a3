import type { NewReview } from '@interview-prep/contracts/reviews';
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

const shows = (recording = interviewRecording()) =>
  server.use(
    http.get(`/api/interviews/${interviewId}`, () => HttpResponse.json(interviewDetail({ recordings: [recording] }))),
    http.get('/api/events', () => new HttpResponse(null, { status: 503 })),
  );
function reviewed() {
  const recording = interviewRecording({ correctnessPercentage: 95 });
  return {
    ...recording,
    assessment: {
      ...recording.assessment,
      appeal: { reason: 'I did say it', createdAt: '2026-11-21T08:00:00.000Z' },
      machine: { isCorrect: false, correctnessPercentage: 20 },
      review: {
        by: 'admin' as const,
        createdAt: '2026-11-21T09:00:00.000Z',
        correctnessPercentage: 95,
        reason: 'Right, in other words.',
        comments: [{ atMs: 2500, text: 'Here you say it.' }],
      },
    },
  };
}

it('asks a person, and shows what was asked', async () => {
  shows();
  const sent: unknown[] = [];
  server.use(
    http.post(`/api/recordings/${recordingId}/appeal`, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ message: 'A person will look at this answer' }, { status: 201 });
    }),
  );
  const { user } = openApp(paths.interviewDetail(interviewId));
  await user.click(await screen.findByRole('button', { name: 'Ask a person' }));
  await user.type(screen.getByRole('textbox', { name: 'What is wrong with this verdict?' }), 'I did say it');
  await user.click(screen.getByRole('button', { name: 'Ask a person' }));
  expect(await screen.findByText('Nobody has answered yet.')).toBeVisible();
  expect(sent).toEqual([{ reason: 'I did say it' }]);
  expect(screen.queryByRole('button', { name: 'Ask a person' })).toBeNull();
});

it("shows a person's verdict beside the machine's, with comments at their moments", async () => {
  shows(reviewed());
  openApp(paths.interviewDetail(interviewId));
  const note = within(await screen.findByRole('region', { name: "A person's verdict" }));
  expect(note.getByText('95 %')).toBeVisible();
  expect(note.getByText('20 %')).toBeVisible();
  expect(note.getByText('Right, in other words.')).toBeVisible();
  expect(note.getByRole('button', { name: 'Play from 0:02' })).toBeVisible();
  // A person's verdict stands.
  for (const name of ['Edit the transcript', 'I did say this', 'Ask a person'])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

describe('an admin', () => {
  const admin = { email: 'admin@example.com', role: 'admin' as const };

  it('judges points and the whole, with a reason', async () => {
    shows();
    const sent: NewReview[] = [];
    server.use(
      http.put(`/api/recordings/${recordingId}/review`, async ({ request }) => {
        sent.push((await request.json()) as NewReview);
        const { assessment, correctnessPercentage } = reviewed();
        return HttpResponse.json({ isCorrect: true, correctnessPercentage, assessment });
      }),
    );
    const { user } = openApp(paths.interviewDetail(interviewId), admin);
    await user.click(await screen.findByRole('button', { name: 'Give a verdict' }));
    const form = within(screen.getByRole('region', { name: 'Your verdict' }));
    expect(form.getByRole('button', { name: 'Save verdict' })).toBeDisabled();
    await user.selectOptions(form.getByRole('combobox', { name: 'Private state' }), 'Half covered');
    await user.click(form.getByRole('button', { name: 'Comment at this moment of the recording' }));
    await user.type(form.getByRole('textbox', { name: 'Comment at 0:00' }), 'Here');
    await user.type(form.getByRole('textbox', { name: 'Why' }), 'Right, in other words.');
    await user.click(form.getByRole('button', { name: 'Save verdict' }));
    expect(await screen.findByRole('region', { name: "A person's verdict" })).toBeVisible();
    expect(sent).toEqual([
      {
        correctnessPercentage: null,
        points: [{ point: 1, state: 'partial', reason: '' }],
        reason: 'Right, in other words.',
        comments: [{ atMs: 0, text: 'Here' }],
      },
    ]);
  });

  it('sees who waits, and where machine and people differ most', async () => {
    const appeal = {
      recordingId,
      interviewId,
      questionId: 0,
      question: 'What is a closure?',
      title: 'Closures and scope',
      email: 'candidate@example.com',
      createdAt: '2026-11-21T08:00:00.000Z',
      reason: 'I did say it',
      machinePercentage: 20,
      reviewPercentage: null,
    };
    const figures = { count: 3, pearson: 0.5, kappa: null, difference: 30 };
    server.use(
      http.get('/api/recordings/appeals', () =>
        HttpResponse.json({ appeals: [appeal, { ...appeal, recordingId: 'd'.repeat(24), reviewPercentage: 90 }] }),
      ),
      http.get('/api/recordings/agreement', () =>
        HttpResponse.json({
          all: figures,
          sets: [],
          questions: [{ ...figures, title: 'Closures and scope', question: 'What is hoisting?' }],
        }),
      ),
    );
    openApp(paths.appeals, admin);
    const [link] = await screen.findAllByRole('link', { name: 'What is a closure?' });
    expect(link).toHaveAttribute('href', `/interviews/${interviewId}#question-1`);
    expect(screen.getByText('Machine 20 % · person 90 %')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('cell', { name: 'What is hoisting?' })).toBeVisible());
  });
});
