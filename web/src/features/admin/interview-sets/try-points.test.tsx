import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import type { Point } from '@interview-prep/contracts/recording/recordings';
import type { EarlierAnswer, TrialVerdict } from '@interview-prep/contracts/recording/trials';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, setOf, signInBefore } from '../../../test/fake-api.ts';
import { serveCatalog } from '../../../test/fake-catalog.ts';
import { pasteInto } from '../../../test/paste-into.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const answer = 'A closure keeps its variables. Captured variables use memory.';
const question = 'What is a closure, and what does it cost?';
const set = setOf(1, { questions: [question], expertAnswers: [answer], expertPoints: [derivePoints(answer)] });

const pointOf = (changes: Partial<Point>): Point => ({ text: '', covered: false, evidence: '', ...changes });
const verdict: TrialVerdict = {
  correctnessPercentage: 50,
  range: { from: 50, to: 75 },
  engine: 'reference',
  points: [
    pointOf({
      text: 'A closure!',
      covered: true,
      state: 'covered',
      weight: 50,
      credit: 50,
      evidence: 'keeps its variables',
    }),
    pointOf({
      text: 'Memory',
      state: 'contradicted',
      weight: 50,
      credit: 0,
      creditRange: { from: 0, to: 25 },
      evidence: 'it is free',
    }),
  ],
};
const earlier: EarlierAnswer = {
  recordingId: 'e'.repeat(24),
  createdAt: '2026-11-20T08:30:00.000Z',
  correctnessPercentage: 40,
  firstWords: 'a closure is…',
};

/** Records the requests to the judge; `answers` may fail. */
async function open(answers: { trial?: () => Response; inQuestion?: boolean[]; earlier?: EarlierAnswer[] } = {}) {
  const sent: Record<string, unknown>[] = [];
  const record = async (request: Request) => sent.push((await request.json()) as Record<string, unknown>);
  serveCatalog({ interviewSets: [set] });
  server.use(
    http.post('*/api/recordings/trials', async ({ request }) => {
      await record(request);
      return answers.trial?.() ?? HttpResponse.json(verdict);
    }),
    http.post('*/api/recordings/trials/question-check', async ({ request }) => {
      await record(request);
      return HttpResponse.json({ inQuestion: answers.inQuestion ?? [false, false] });
    }),
    http.post('*/api/recordings/trials/earlier-answers', () => HttpResponse.json({ answers: answers.earlier ?? [] })),
  );
  signInBefore('admin');
  renderApp(`/edit/${set._id}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Points (2) of expert answer 1' }));
  return sent;
}
const point = (number: number) => screen.getByRole('textbox', { name: `Text of point ${number} of expert answer 1` });
const tryIt = () => userEvent.click(screen.getByRole('button', { name: /^Try it/ }));
const score = () => screen.getByRole('button', { name: 'Score this answer' });
const panel = () => within(screen.getByRole('region', { name: 'Try the points of expert answer 1' }));

test('a typed answer is tried against the points in the form', async () => {
  const sent = await open();
  await userEvent.type(point(1), '!');
  await tryIt();
  expect(score()).toBeDisabled();
  await pasteInto(panel().getByRole('textbox', { name: 'Answer to try' }), 'it keeps its variables and it is free');
  await userEvent.click(score());
  expect(await panel().findByText('50%')).toBeVisible();
  expect(sent).toEqual([
    {
      question,
      points: derivePoints(answer).map((each, index) => (index === 0 ? { ...each, text: `${each.text}!` } : each)),
      answer: 'it keeps its variables and it is free',
    },
  ]);
  expect(panel().getByText(/could be 50–75%/)).toBeVisible();
  expect(panel().getByText('Covered · 50 of 50')).toBeVisible();
  expect(panel().getByText('Contradicted · 0 of 50 · Not sure: 0–25')).toBeVisible();
  expect(panel().getByText('“it is free”')).toBeVisible();
  await userEvent.type(point(1), '?');
  expect(panel().getByText(/Changed since/)).toBeVisible();
});

test('an earlier answer is tried using its recording', async () => {
  const sent = await open({ earlier: [earlier] });
  await tryIt();
  const list = await panel().findByRole('combobox', { name: 'Answer to try' });
  await userEvent.selectOptions(list, panel().getByRole('option', { name: /40% · “a closure is…”/ }));
  expect(panel().queryByRole('textbox')).toBeNull();
  await userEvent.click(score());
  expect(await panel().findByText('50%')).toBeVisible();
  expect(sent).toMatchObject([{ question, recordingId: earlier.recordingId }]);
  expect(sent[0]).not.toHaveProperty('answer');
});

test('a failed trial shows the reason', async () => {
  const message = 'The judge is busy and did not finish in time. Please try again.';
  await open({ trial: () => HttpResponse.json({ message, code: 'unavailable' }, { status: 503 }) });
  await tryIt();
  await pasteInto(panel().getByRole('textbox'), 'it keeps its variables');
  await userEvent.click(score());
  expect(await panel().findByText(message)).toBeVisible();
});

test('incomplete points are not tried', async () => {
  await open();
  await tryIt();
  await pasteInto(panel().getByRole('textbox'), 'it keeps its variables');
  expect(score()).toBeEnabled();
  await userEvent.clear(point(2));
  expect(score()).toBeDisabled();
  expect(panel().getByText('Fill in the question and every point first.')).toBeVisible();
});

test('a point that is hard to judge shows a warning immediately', async () => {
  await open();
  expect(point(1)).not.toHaveAccessibleDescription();
  await userEvent.clear(point(1));
  await pasteInto(point(1), 'This makes private state possible.');
  expect(point(1)).toHaveAccessibleDescription(/can’t be understood by itself/);
  await userEvent.clear(point(1));
  await pasteInto(point(1), 'Private state');
  expect(point(1)).toHaveAccessibleDescription(/isn’t a full statement/);
  await userEvent.clear(point(1));
  await pasteInto(point(1), 'A stack returns the newest element first, whereas a queue returns the oldest element.');
  expect(point(1)).toHaveAccessibleDescription(/more than one thing/);
  await userEvent.clear(point(1));
  await pasteInto(point(1), 'A stack returns the newest element first.');
  expect(point(1)).not.toHaveAccessibleDescription();
});

test('points that the question gives away are flagged until they are edited', async () => {
  const sent = await open({ inQuestion: [true, false] });
  await userEvent.click(screen.getByRole('button', { name: /^Compare with the question/ }));
  await waitFor(() => expect(point(1)).toHaveAccessibleDescription(/The question already says this/));
  expect(sent).toEqual([{ question, points: derivePoints(answer) }]);
  expect(point(2)).not.toHaveAccessibleDescription();
  await userEvent.type(point(1), '!');
  expect(point(1)).not.toHaveAccessibleDescription();
});

test('reports that the question gives nothing away', async () => {
  await open();
  await userEvent.click(screen.getByRole('button', { name: /^Compare with the question/ }));
  expect(await screen.findByText('The question gives none of these points away.')).toBeVisible();
  await userEvent.type(point(1), '!');
  expect(screen.queryByText('The question gives none of these points away.')).toBeNull();
});
