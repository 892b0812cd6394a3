import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  interviewDetail,
  interviewId,
  interviewRecording,
  pendingRecording,
} from '../../../test/history/history-fixtures.ts';
import { LiveServer, openApp, server } from '../../../test/history/open-app.tsx';

let live: LiveServer;

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  live = new LiveServer();
  server.use(live.handler);
});
afterEach(() => {
  vi.useRealTimers();
  live.end();
  server.resetHandlers();
});
afterAll(() => server.close());

const path = `/interviews/${interviewId}`;
const serveDetail = (detail: () => unknown) =>
  server.use(http.get(`/api/interviews/${interviewId}`, () => HttpResponse.json(detail() as object)));
const question = (number: number) => screen.findByRole('article', { name: `Question ${number}` });

describe('the interview detail', () => {
  it('shows a summary, and cards by day in the order of the questions', async () => {
    serveDetail(() =>
      interviewDetail({
        questions: ['First?', 'Second?', 'Third with `code`?'],
        recordings: [
          interviewRecording({ _id: 'b', questionId: 1, isCorrect: false, correctnessPercentage: 24 }),
          interviewRecording({ _id: 'a', questionId: 0, createdAt: '2026-11-21T10:00:00.000Z' }),
        ],
      }),
    );
    openApp(path);
    expect(await screen.findByRole('heading', { level: 1, name: 'Closures and scope' })).toBeVisible();
    expect(screen.getByText('53%')).toBeVisible();
    expect(screen.getByText('average of 2 of 3 questions · 1 not answered')).toBeVisible();
    expect(screen.getByText('Nov 20, 2026, 8:40 AM')).toBeVisible();
    expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
      'Friday, November 20, 2026',
      'Saturday, November 21, 2026',
      'Not answered',
    ]);
    expect(await question(2)).toHaveTextContent(/Incorrect\s*·\s*24%/);
    expect(await question(1)).toHaveTextContent(/Correct\s*·\s*82%/);
    const third = await question(3);
    expect(third).toHaveTextContent('Not answered');
    expect(within(third).getByText('code').tagName).toBe('CODE');
    expect(document.title).toContain('Closures and scope');
  });

  it.each(['admin', 'dev', 'others'] as const)('shows the participant and ids only to staff: %s', async (role) => {
    serveDetail(() => interviewDetail());
    openApp(path, { role });
    await question(1);
    const shown = [/aaaaaaaaaaaaaaaaaaaaaaaa/, /candidate@example.com/].map(
      (text) => screen.queryAllByText(text).length,
    );
    expect(shown).toEqual(role === 'others' ? [0, 0] : [1, 1]);
  });

  it.each([
    ['hidden', null, 0],
    ['shown', '2026-11-21T08:00:00.000Z', 1],
  ])("offers what an assignment's feedback allows: %s", async (_, feedbackAt, count) => {
    const assignment = { assignmentId: 'a', groupId: 'g', late: false, feedback: 'release', feedbackAt } as const;
    const reason = 'You will see feedback when your coach releases it.';
    const recording = interviewRecording({
      transcription: { status: 'completed', text: 'A closure', completedAt: null },
      assessment: { status: 'unscored', reason },
    });
    serveDetail(() => interviewDetail({ assignment, recordings: [recording] }));
    openApp(path);
    const card = within(await question(1));
    expect(await card.findByText(reason)).toBeVisible();
    for (const name of ['Score again', 'Request a human review', 'Edit the transcript'])
      expect(card.queryAllByRole('button', { name }), name).toHaveLength(count);
    expect(card.queryAllByText('Expert Suggested Answer')).toHaveLength(count);
    expect(screen.queryAllByRole('button', { name: /Share/ })).toHaveLength(count);
  });

  it('shows a follow-up question under its original question, and only if it was asked', async () => {
    serveDetail(() =>
      interviewDetail({
        questions: ['First?', 'Second?', 'You have not mentioned “scope” yet. Why?', 'Never asked?'],
        followUps: [
          { questionId: 2, parentQuestionId: 0 },
          { questionId: 3, parentQuestionId: 1 },
        ],
        askedQuestions: [0, 1, 2],
        recordings: [0, 1, 2].map((questionId) =>
          interviewRecording({ _id: `${questionId}`, questionId, isCorrect: false, correctnessPercentage: 20 }),
        ),
      }),
    );
    openApp(path);
    const followUp = await screen.findByRole('article', { name: 'Question 1, follow-up' });
    expect(followUp).toHaveTextContent(/You have not mentioned “scope” yet\. Why\?.*20%/);
    expect(screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))).toEqual([
      'Question 1',
      'Question 1, follow-up',
      'Question 2',
    ]);
    const strip = within(screen.getByRole('list', { name: 'Questions' })).getAllByRole('link');
    expect(strip.map((link) => link.textContent)).toEqual([
      'Question 1Incorrect · 20%',
      'Question 1, follow-upIncorrect · 20%',
      'Question 2Incorrect · 20%',
    ]);
    expect(screen.getByText('average of 3 questions')).toBeVisible();
    expect(screen.queryByText('Never asked?')).toBeNull();
  });

  it('deletes an answer, then the session, after a confirmation', async () => {
    serveDetail(() =>
      interviewDetail({
        recordings: [interviewRecording({ _id: 'b', questionId: 1 }), interviewRecording({ _id: 'a', questionId: 0 })],
      }),
    );
    const deleted: string[] = [];
    server.use(
      http.delete('*/api/*', ({ request }) => {
        deleted.push(new URL(request.url).pathname);
        return new HttpResponse(null, { status: 204 });
      }),
      http.get('*/api/interviews/history', () => HttpResponse.json({ recordings: [], nextCursor: null, total: 0 })),
    );
    const { user } = openApp(path);
    await user.click(within(await question(1)).getByRole('button', { name: 'Delete answer' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/This cannot be undone/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Delete answer' }));
    expect(await screen.findByText('The answer to question 1 was deleted')).toBeVisible();
    expect(deleted).toEqual(['/api/recordings/a']);
    expect(within(await question(1)).queryByRole('button', { name: 'Delete answer' })).toBeNull();

    await user.click(screen.getByRole('button', { name: 'Delete session' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete session' }));
    expect(await screen.findByRole('heading', { name: 'Interview History' })).toBeVisible();
    expect(deleted).toHaveLength(2);
    expect(deleted[1]).toMatch(/^\/api\/sessions\//);
  });

  it('collapses more than two answers; a verdict in the summary leads to its answer', async () => {
    const questions = ['First?', 'Second?', 'Third?'];
    const recordings = questions.map((_, questionId) =>
      interviewRecording({
        _id: `answer-${questionId}`,
        questionId,
        correctnessPercentage: [82, 45, 20][questionId] ?? 0,
      }),
    );
    const detail = interviewDetail({ questions, recordings });
    serveDetail(() => detail);
    const set = { _id: detail.interviewSetId, title: detail.title, technology: 'JavaScript', questions, createdAt: '' };
    server.use(http.get('/api/interviews/sets', () => HttpResponse.json({ interviewSets: [set] })));
    const { user } = openApp(path);
    const third = await question(3);
    const toggle = within(third).getByRole('button', { name: /Third\?/ });
    expect(toggle).toHaveAttribute('aria-expanded', 'false');
    expect(third).toHaveTextContent(/Incorrect\s*·\s*20%/);
    expect(within(third).queryByText('Transcription')).toBeNull();

    const summary = screen.getByRole('region', { name: 'Summary' });
    expect(within(summary).getByText('average of 3 questions')).toBeVisible();
    expect(within(summary).getByRole('link', { name: /Question 2\s*Partially correct · 45%/ })).toBeVisible();
    expect(await within(summary).findByRole('link', { name: 'Answer 2 questions again' })).toHaveAttribute(
      'href',
      `/interview/${detail.interviewSetId}?questions=2,3`,
    );
    expect(within(summary).getByText('Questions 2 and 3 scored under 60%.')).toBeVisible();
    await user.click(within(summary).getByRole('link', { name: /Question 3\s*Incorrect · 20%/ }));
    expect(toggle).toHaveAttribute('aria-expanded', 'true');
    expect(toggle).toHaveFocus();
    expect(within(third).getByText('Transcription')).toBeVisible();
    await user.keyboard('{Enter}');
    expect(toggle).toHaveAttribute('aria-expanded', 'false');
  });

  it('shows points with evidence, engines, and the expert answer on demand', async () => {
    serveDetail(() => interviewDetail());
    const { user } = openApp(path);
    const card = await question(1);
    const made = within(card).getByText('Function and scope').closest('li');
    expect(made).toHaveTextContent('remembers its scope');
    expect(within(card).getByText('Private').tagName).toBe('CODE');
    expect(card).toHaveTextContent('Transcribed by pocketsphinx en-us, compared with the expert answer');
    const toggle = within(card).getByRole('button', { name: 'Expert Suggested Answer' });
    expect(toggle).toHaveAttribute('aria-expanded', 'false');
    expect(within(card).getByText(/A closure is a function/)).not.toBeVisible();
    await user.click(toggle);
    expect(within(card).getByText(/A closure is a function/)).toBeVisible();
    expect(card).not.toHaveTextContent('My answer would be');
  });

  it.each([
    ['admin', 1],
    ['others', 0],
  ] as const)('shows admins what a verdict used and cost: %s', async (role, lines) => {
    const usage = { promptTokens: 1700, completionTokens: 134, costUsd: 0.0042 };
    const assessment = { status: 'completed', engine: 'openai llama3.1', points: [], usage } as const;
    serveDetail(() =>
      interviewDetail({ recordings: [interviewRecording({ assessment: { ...assessment, points: [] } })] }),
    );
    openApp(path, { role });
    expect(within(await question(1)).queryAllByText('Judging used 1,834 tokens, $0.0042')).toHaveLength(lines);
  });

  it('shows text as text, never as HTML', async () => {
    const html = '<img src=x onerror=alert(1)><b>bold</b>';
    serveDetail(() =>
      interviewDetail({ questions: [html], recordings: [interviewRecording({ chatGPTResponse: html })], title: html }),
    );
    openApp(path);
    expect(await question(1)).toHaveTextContent(html);
    expect(document.querySelector('main b, article b, article img')).toBeNull();
  });

  it.each([
    [{ status: 'pending', text: '' }, 'Transcription Not Available'],
    [{ status: 'failed', text: '' }, 'Transcription Failed'],
    [{ status: 'completed', text: ' ' }, 'No Transcription Available'],
    [{ status: 'completed', text: 'Transcription in progress...' }, 'No Transcription Available'],
  ] as const)('for the transcription %j says %s', async (transcription, text) => {
    serveDetail(() =>
      interviewDetail({
        recordings: [pendingRecording({ transcription: { ...transcription, completedAt: null }, audioUrl: '' })],
      }),
    );
    openApp(path);
    const card = await question(1);
    expect(within(card).getByText(text)).toBeVisible();
    expect(card).toHaveTextContent('Expert Answer Is Not Available');
    expect(card).toHaveTextContent('Audio recording not available');
    expect(card).not.toHaveTextContent('Correct');
  });

  it('says that the recording was deleted, and after how many days', async () => {
    const mediaDeletion = { at: '2026-11-20T08:45:00.000Z', afterDays: 30 };
    serveDetail(() => interviewDetail({ recordings: [interviewRecording({ audioUrl: '', mediaDeletion })] }));
    openApp(path);
    const card = await question(1);
    expect(card).toHaveTextContent('This recording was deleted after 30 days. Its transcript and scores are kept.');
    expect(within(card).queryByRole('button', { name: /^Play/ })).toBeNull();
    expect(card).toHaveTextContent('A closure remembers its scope.');
  });

  it('shows unknown users as specified', async () => {
    serveDetail(() =>
      interviewDetail({ userId: '', createdAt: '', userDetails: { email: null, role: null, lastLogin: null } }),
    );
    openApp(path);
    for (const word of ['Unknown User', 'Unknown Email', 'Unknown Role', 'Unknown date']) {
      expect(await screen.findByText(word)).toBeVisible();
    }
  });
});

describe('errors', () => {
  it.each([
    [404, 'Interview not found.'],
    [400, 'Interview not found.'],
  ])('show for %i: %s', async (status, text) => {
    server.use(
      http.get(`/api/interviews/${interviewId}`, () => HttpResponse.json({ message: 'no', code: 'no' }, { status })),
    );
    openApp(path);
    expect(await screen.findAllByText(text)).not.toHaveLength(0);
    expect(screen.getByRole('link', { name: 'Go to Interview History' })).toHaveAttribute('href', '/interviews');
  });

  it('are shown if the URL has no id', async () => {
    openApp('/interviews/%20');
    expect(await screen.findAllByText('Missing required parameter: interviewId')).not.toHaveLength(0);
  });

  it.each([
    ['null', 'No interview data received', 'No interview data received'],
    ['{"message":""}', 'Failed to fetch interview details', 'Failed to load interview details'],
  ])('show for the response %s: %s, and loading can be retried', async (body, shown, toast) => {
    const status = body === 'null' ? 200 : 500;
    server.use(
      http.get(`/api/interviews/${interviewId}`, () =>
        HttpResponse.text(body, { status, headers: { 'Content-Type': 'application/json' } }),
      ),
    );
    const { user } = openApp(path);
    expect(await screen.findAllByText(shown)).not.toHaveLength(0);
    expect(await screen.findAllByText(toast)).not.toHaveLength(0);
    serveDetail(() => interviewDetail());
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Closures and scope' })).toBeVisible();
  });
});
