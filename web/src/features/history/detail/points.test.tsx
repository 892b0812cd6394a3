import type { Assessment, Point } from '@interview-prep/contracts/recording/recordings';
import { screen, within } from '@testing-library/react';
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

const point = (text: string, more: Partial<Point>): Point => ({
  text,
  covered: more.state === 'covered',
  evidence: '',
  weight: 20,
  credit: 0,
  ...more,
});
const covered = point('Captures variables', {
  state: 'covered',
  evidence: 'a funk shun',
  weight: 40,
  credit: 40,
  how: 'sound',
  startMs: 1500,
  endMs: 2500,
  reason: 'You said it.',
});
const across = point('Kept alive', {
  state: 'partial',
  evidence: 'It stays. It is kept.',
  credit: 10,
  across: true,
  startMs: 500,
  endMs: 4000,
});
const contradicted = point('Scopes nest', {
  state: 'contradicted',
  evidence: 'scopes never nest',
  startMs: 3000,
  endMs: 3900,
});
const missing = point('Its scope', { state: 'missing', optional: true });
const unsure = { state: 'partial', evidence: 'keeps it', credit: 10, creditRange: { from: 0, to: 20 } } as const;
const judge = 'reference point-judge 1';

/** Opens the detail of one answer with these points. @returns its card */
async function opensAnswer(points: Point[], more: Partial<Assessment> = {}, user = {}, answer: object = {}) {
  const assessment: Assessment = { status: 'completed', engine: judge, points, ...more };
  const recording = interviewRecording({ assessment, correctnessPercentage: 50, ...answer });
  server.use(
    http.get(`/api/interviews/${interviewId}`, () => HttpResponse.json(interviewDetail({ recordings: [recording] }))),
  );
  const app = openApp(paths.interviewDetail(interviewId), user);
  return { ...app, card: await screen.findByRole('article', { name: 'Question 1' }) };
}
const line = (card: HTMLElement, name: RegExp) => within(card).getByRole('button', { name });
function playable(card: HTMLElement) {
  const audio = card.querySelector('audio');
  // The element never loads in this environment, so report HTMLMediaElement.HAVE_ENOUGH_DATA.
  Object.defineProperty(audio, 'readyState', { value: 4 });
  return audio;
}

describe('the points of an answer', () => {
  it('are a line each, and add up to the score in their order', async () => {
    const { card } = await opensAnswer([missing, contradicted, across, covered]);
    const lines = [...card.querySelectorAll('li > button[aria-expanded]')].map(({ textContent }) => textContent.trim());
    expect(lines).toEqual([
      'CoveredCaptures variables40 of 40',
      'Partly coveredKept alive10 of 20',
      'ContradictedScopes nest0 of 20',
      'Not mentionedIts scopeoptional · 0 of 20',
    ]);
    expect(card).toHaveTextContent('The score is the sum of the points: 40 + 10 + 0 + 0 = 50%');
  });

  it('from the same sentence show it once', async () => {
    const points = ['It captures variables', 'Keeps them alive'].map((text) => point(text, { state: 'missing' }));
    const chatGPTResponse = 'It captures variables, and keeps them alive.';
    const { card } = await opensAnswer(points, {}, {}, { chatGPTResponse });
    const lines = [...card.querySelectorAll('li > button[aria-expanded]')].map(({ textContent }) => textContent.trim());
    expect(lines).toEqual([
      expect.stringContaining('It captures variables, and keeps them alive.'),
      expect.stringMatching(/^Not mentioned… keeps them alive/),
    ]);
  });

  it('are not shown as missing if an earlier release gave credit for them', async () => {
    const { card } = await opensAnswer([covered, { ...missing, optional: false, credit: 4 }]);
    expect(line(card, /^Partly covered Its scope 4 of 20/)).toBeVisible();
  });

  it('open to show the words, which play, and the reason', async () => {
    const { card, user } = await opensAnswer([covered, missing]);
    const toggle = line(card, /^Covered Captures variables/);
    expect(toggle).toHaveAttribute('aria-expanded', 'false');
    expect(within(card).getByText('You said it.')).not.toBeVisible();
    await user.click(toggle);
    expect(within(card).getByText('You said it.')).toBeVisible();
    const audio = playable(card);
    await user.click(within(card).getByRole('button', { name: /a funk shun.*play from 0:01/ }));
    expect(audio?.currentTime).toBe(1.5);
    expect(audio?.paused).toBe(false);
  });

  it('say if only the whole answer makes one, and play from the first sentence', async () => {
    const { card, user } = await opensAnswer([across]);
    await user.click(line(card, /^Partly covered/));
    expect(within(card).getByText('Across the answer')).toBeVisible();
    const audio = playable(card);
    await user.click(within(card).getByRole('button', { name: /It stays\..*play from 0:00/ }));
    expect(audio?.currentTime).toBe(0.5);
  });

  it.each([
    [{}, 'You said'],
    [{ email: 'admin@example.com', role: 'admin' }, 'The candidate said'],
  ])("show a contradiction next to the expert's statement: %j", async (user, title) => {
    const reason = 'You said something that contradicts this.';
    const { card } = await opensAnswer([{ ...contradicted, reason }], {}, user);
    expect(within(card).getByText(title === 'You said' ? reason : 'The answer contradicts this.')).toBeVisible();
    const sides = [...card.querySelectorAll('li dl > div')];
    expect(sides.map(({ textContent }) => textContent)).toEqual([
      `${title}scopes never nest, play from 0:03`,
      'The expert saysScopes nest',
    ]);
    expect(within(card).getByText('scopes never nest')).toBeVisible();
  });

  it('without quoted words show no comparison if a reviewer marked them as contradicted', async () => {
    const { card } = await opensAnswer([{ ...contradicted, evidence: '' }]);
    expect(line(card, /^Contradicted Scopes nest/)).toBeVisible();
    expect(within(card).queryByText('The expert says')).toBeNull();
  });

  it('in older verdicts have only a state', async () => {
    const { card } = await opensAnswer([{ text: 'Old', covered: true, evidence: 'said' }], { engine: 'reference' });
    expect(line(card, /^Covered Old$/)).toBeVisible();
    expect(card).not.toHaveTextContent('The score is the sum');
  });
});

describe('a point on which the judge is unsure', () => {
  it('is labeled with the best guess, and one click requests a human review', async () => {
    const { card, user } = await opensAnswer([covered, point('Kept', unsure)]);
    const toggle = line(card, /^Partly covered Not sure Kept 10 of 20 could be 0–20$/);
    expect(toggle).toHaveAttribute('aria-expanded', 'false');
    const item = toggle.closest('li')!;
    expect(within(card).getAllByText('Not sure')).toHaveLength(1);
    await user.click(toggle);
    await user.click(within(item).getByRole('button', { name: 'Request a human review' }));
    expect(within(item).getByRole('textbox', { name: 'What is wrong with this verdict?' })).toHaveValue('');
  });

  it('cannot be sent for review twice, nor by someone else', async () => {
    const appeal = { reason: 'I said it', createdAt: '2026-11-21T08:00:00.000Z' };
    const { card } = await opensAnswer([point('Kept', unsure)], { appeal });
    expect(line(card, /Not sure/)).toBeVisible();
    expect(within(card).queryByRole('button', { name: 'Request a human review' })).toBeNull();
  });

  it('offers admins no review request', async () => {
    const { card } = await opensAnswer([point('Kept', unsure)], {}, { email: 'admin@example.com', role: 'admin' });
    expect(line(card, /Not sure/)).toBeVisible();
    expect(within(card).queryByRole('button', { name: 'Request a human review' })).toBeNull();
  });

  it("gives the score a range, shown in the card's header", async () => {
    const { card } = await opensAnswer([covered, point('Kept', unsure)], { range: { from: 40, to: 60 } });
    expect(card.querySelector('h3')).toHaveTextContent(/Partially correct\s*·\s*50% could be 40–60%/);
  });
});

describe("the judge's name", () => {
  const limits = /can't check whether examples are true/;

  it.each([
    [judge, 1],
    ['openai llama3.1', 0],
    ['reference', 0],
  ])('is shown for the built-in judge: %s', async (engine, count) => {
    const { card } = await opensAnswer([covered], { engine });
    expect(within(card).queryAllByText(limits)).toHaveLength(count);
  });

  it.each([
    ['reference', {}, 1],
    ['reference 0.1', {}, 1],
    [judge, {}, 0],
    ['openai llama3.1', {}, 0],
    ['reference', { email: 'admin@example.com', role: 'admin' }, 1],
    ['reference', { email: 'dev@example.com', role: 'dev' }, 0],
  ])('a verdict by %s can be rescored by %j: %i', async (engine, user, count) => {
    const { card } = await opensAnswer([covered], { engine }, user);
    expect(within(card).queryAllByText('Scored by an earlier judge.')).toHaveLength(count);
    expect(within(card).queryAllByRole('button', { name: 'Rescore' })).toHaveLength(count);
  });

  it('a review is not rescored', async () => {
    const review = {
      by: 'admin',
      createdAt: '2026-11-21T09:00:00.000Z',
      correctnessPercentage: 50,
      reason: 'Right.',
      comments: [],
    } as const;
    const { card } = await opensAnswer([covered], { engine: 'reference', review: { ...review, comments: [] } });
    expect(within(card).queryByRole('button', { name: 'Rescore' })).toBeNull();
  });

  it('rescoring shows the answer in progress', async () => {
    const asked: unknown[] = [];
    server.use(
      http.post('/api/recordings/:id/reprocess', ({ params }) => {
        asked.push(params.id);
        return HttpResponse.json({ message: 'It runs again' }, { status: 202 });
      }),
    );
    const { card, user } = await opensAnswer([covered], { engine: 'reference' });
    await user.click(within(card).getByRole('button', { name: 'Rescore' }));
    expect(await within(card).findByRole('status')).toHaveTextContent('Scoring the answer');
    expect(asked).toEqual([recordingId]);
  });
});
