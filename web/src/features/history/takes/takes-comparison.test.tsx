import type { Delivery } from '@interview-prep/contracts/recording/delivery';
import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { interviewId, interviewRecording } from '../../../test/history/history-fixtures.ts';
import { openApp, server } from '../../../test/history/open-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** A take with this percentage and these words. */
function take(number: number, percentage: number, text: string, covered: boolean) {
  const { transcription } = interviewRecording();
  return {
    ...interviewRecording({
      _id: `take-${number}`,
      createdAt: `2026-11-0${number}T10:00:00.000Z`,
      durationMs: 4000,
      // The detail page's figure, independent of word count and duration.
      delivery: { wordsPerMinute: 100 + number } as Delivery,
      isCorrect: percentage >= 50,
      correctnessPercentage: percentage,
      transcription: { ...transcription, text },
      assessment: { status: 'completed', points: [{ text: 'It keeps the scope', covered, evidence: '' }] },
    }),
    interviewId,
    title: `Interview ${number}`,
  };
}

const serveTakes = (takes: unknown[]) =>
  server.use(
    http.get(`/api/interviews/${interviewId}/questions/0/takes`, () =>
      HttpResponse.json({ question: 'What is a closure?', technology: 'JavaScript', takes }),
    ),
  );

it('compares the newest take with the previous one, and any other two', async () => {
  serveTakes([
    take(1, 10, 'no idea', false),
    take(2, 40, 'a function', false),
    take(3, 90, 'a function with its scope', true),
  ]);
  const { user } = openApp(`/interviews/${interviewId}/takes/1`);
  const rows = within(await screen.findByRole('table', { name: 'Takes, oldest first' })).getAllByRole('row');
  expect(rows.slice(1).map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^1 · Nov 1, 2026, .*Incorrect·10%1010:04$/),
    expect.stringMatching(/^2 · Nov 2, 2026, .*Partially correct·40%1020:04$/),
    expect.stringMatching(/^3 · Nov 3, 2026, .*Correct·90%1030:04$/),
  ]);
  expect(screen.getAllByRole('article').map((side) => side.getAttribute('aria-label'))).toEqual(['Take 2', 'Take 3']);
  expect(screen.getByRole('heading', { name: 'Better than before 1' })).toBeVisible();
  expect(screen.getByText('Not mentioned → Covered')).toBeVisible();
  expect(screen.getByText('No point got worse.')).toBeVisible();
  const marked = within(screen.getByRole('article', { name: 'Take 3' })).getByText('with its scope');
  expect(marked.tagName).toBe('MARK');

  await user.click(screen.getByRole('radio', { name: 'Compare from: take 3' }));
  await user.click(screen.getByRole('radio', { name: 'Compare to: take 1' }));
  expect(screen.getByRole('heading', { name: 'Worse than before 1' })).toBeVisible();
  expect(screen.getByRole('article', { name: 'Take 1' })).toHaveTextContent('Interview 1');
});

it('shows a single take, and how to get another', async () => {
  serveTakes([take(1, 10, 'no idea', false)]);
  openApp(`/interviews/${interviewId}/takes/1`);
  expect(await screen.findByText(/^There is one take so far\./)).toBeVisible();
  expect(screen.getAllByRole('article')).toHaveLength(1);
  expect(screen.queryByRole('heading', { name: /^Points/ })).toBeNull();
});

it('marks nothing as new in a take without a transcript', async () => {
  serveTakes([take(1, 10, 'no idea', false), take(2, 10, '', false)]);
  openApp(`/interviews/${interviewId}/takes/1`);
  const latest = within(await screen.findByRole('article', { name: 'Take 2' }));
  expect(latest.getByText('No Transcription Available').tagName).toBe('SPAN');
  expect(screen.queryByText(/^Highlighted words/)).toBeNull();
});
