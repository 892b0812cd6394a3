import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { paths } from '../../../lib/paths.ts';
import { interviewDetail, interviewRecording, recordingId } from '../../../test/history/history-fixtures.ts';
import { openApp, server } from '../../../test/history/open-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const everything = { media: true, transcript: true, verdicts: true };

const { title, technology, createdAt, questions, askedQuestions } = interviewDetail();
const recording = interviewRecording({ correctnessPercentage: 20 });
const shared = (more = {}) => ({
  title,
  technology,
  createdAt,
  questions,
  askedQuestions,
  role: 'review',
  shows: everything,
  expiresAt: '2026-12-01T08:00:00.000Z',
  recordings: [{ ...recording, ...more }],
});

it('a guest leaves feedback, which is shown next to the score', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post('/api/shared', () => HttpResponse.json(shared())),
    http.put(`/api/shared/recordings/${recordingId}/review`, async ({ request }) => {
      sent.push(await request.json());
      const feedback = {
        shareId: 'a'.repeat(24),
        createdAt: '2026-11-21T08:00:00.000Z',
        correctnessPercentage: null,
        points: [],
        reason: 'Speak up.',
        comments: [],
      };
      return HttpResponse.json(shared({ guestFeedback: [feedback] }));
    }),
  );
  const { user } = openApp(`${paths.shared}#token`);
  expect(await screen.findByText(/You can leave feedback on each answer. It does not change the score./)).toBeVisible();
  expect(screen.queryByRole('button', { name: /verdict/i })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Give feedback' }));
  const form = within(screen.getByRole('region', { name: 'Your feedback' }));
  await user.type(form.getByRole('textbox', { name: 'Feedback' }), 'Speak up.');
  await user.click(form.getByRole('button', { name: 'Save feedback' }));
  const note = within(await screen.findByRole('region', { name: 'Guest feedback' }));
  expect(note.getByText('Speak up.')).toBeVisible();
  expect(note.getByText(/does not count toward the score/)).toBeVisible();
  expect(screen.getAllByText('20%')[0]).toBeVisible();
  expect(sent).toEqual([
    { token: 'token', correctnessPercentage: null, points: [], reason: 'Speak up.', comments: [] },
  ]);
});

it('changing feedback keeps its percentage and its decisions on points', async () => {
  const points = [{ text: '`Private` state', state: 'partial', reason: 'Nearly' }];
  const feedback = { correctnessPercentage: 40, reason: 'Speak up.', comments: [{ atMs: 1000, text: 'Here' }] };
  const sent: unknown[] = [];
  const given = { ...feedback, points, shareId: 'a'.repeat(24), createdAt: '2026-11-21T08:00:00.000Z' };
  server.use(
    http.post('/api/shared', () => HttpResponse.json(shared({ guestFeedback: [given] }))),
    http.put(`/api/shared/recordings/${recordingId}/review`, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(shared({ guestFeedback: [given] }));
    }),
  );
  const { user } = openApp(`${paths.shared}#token`);
  await user.click(await screen.findByRole('button', { name: 'Change your feedback' }));
  await user.click(screen.getByRole('button', { name: 'Save feedback' }));
  await screen.findByRole('button', { name: 'Change your feedback' });
  expect(sent).toEqual([{ token: 'token', ...feedback, points: [{ point: 1, state: 'partial', reason: 'Nearly' }] }]);
});
