import type { PracticeDetail, PracticeRecordingDetail } from '@interview-prep/contracts/history/history';
import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { interviewDetail, interviewRecording } from '../../../test/history/history-fixtures.ts';
import { openApp, server } from '../../../test/history/open-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const practiceId = '11111111-2222-4333-8444-555555555555';

function recording(questionId: number, mediaType: string): PracticeRecordingDetail {
  const { _id, take, createdAt, audioUrl, durationMs, transcription } = interviewRecording();
  return { _id: `${_id}-${questionId}`, take, createdAt, audioUrl, durationMs, transcription, questionId, mediaType };
}

function detail(): PracticeDetail {
  const { userId: _userId, interviewSetId, askedQuestions: _asked, ...head } = interviewDetail();
  return {
    ...head,
    sessionId: practiceId,
    practiceSetId: interviewSetId,
    questions: ['One?', 'Two?', 'Three?'],
    answers: ['First answer', 'Second answer', 'Third answer'],
    recordings: [recording(0, 'audio/mpeg'), recording(1, 'video/webm;codecs=vp8'), recording(2, 'image/gif')],
  };
}

const card = (number: number) => screen.findByRole('article', { name: `Question ${number}` });

describe('the practice detail', () => {
  it('shows the session, and each recording by its media type, without a verdict', async () => {
    server.use(http.get(`/api/practice/details/${practiceId}`, () => HttpResponse.json(detail())));
    const { user } = openApp(`/practiceInterviews/${practiceId}`, { role: 'dev' });
    expect(await screen.findByText(practiceId)).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Closures and scope' })).toBeVisible();
    expect((await card(1)).querySelector('audio')).not.toBeNull();
    expect((await card(2)).querySelector('video')).not.toBeNull();
    const third = await card(3);
    expect(third).toHaveTextContent('Unsupported media format');
    expect(third).toHaveTextContent('A closure remembers its scope.');
    expect(screen.queryByText(/Correct|Average|Expert/)).not.toBeInTheDocument();
    await user.click(within(third).getByRole('button', { name: 'Suggested Answer' }));
    expect(within(third).getByText('Third answer')).toBeVisible();
  });

  it.each([
    [404, 'Practice recording not found.', 'Practice recording not found.'],
    [500, 'Failed to fetch practice details', 'Failed to load practice details'],
  ])('for %i shows %s', async (status, shown, toast) => {
    server.use(http.get(`/api/practice/details/${practiceId}`, () => HttpResponse.json({}, { status })));
    openApp(`/practiceInterviews/${practiceId}`);
    expect(await screen.findAllByText(shown)).not.toHaveLength(0);
    expect(await screen.findAllByText(toast)).not.toHaveLength(0);
  });
});

describe('the practice history', () => {
  it('has its own heading and words, and no averages', async () => {
    const { recordings: _recordings, questions: _questions, userId: _userId, ...head } = interviewDetail();
    const line = { ...head, practiceSetId: 'p', questionCount: 3, answeredCount: 3, pendingCount: 0 };
    server.use(
      http.get('/api/practice/history', () => HttpResponse.json({ recordings: [line], nextCursor: null, total: 1 })),
    );
    openApp('/practiceInterviews');
    expect(await screen.findByRole('link', { name: /Closures and scope/ })).toHaveAttribute(
      'href',
      `/practiceInterviews/${line._id}`,
    );
    expect(screen.getByRole('heading', { level: 1, name: 'Practice History' })).toBeVisible();
    expect(screen.queryByText(/Average|Not scored/)).not.toBeInTheDocument();
  });

  it('shows its own error message', async () => {
    server.use(http.get('/api/practice/history', () => HttpResponse.json({}, { status: 503 })));
    openApp('/practiceInterviews');
    expect(await screen.findByText('Failed to fetch practice history')).toBeVisible();
    expect(await screen.findByText('Failed to load practice recordings')).toBeVisible();
  });
});
