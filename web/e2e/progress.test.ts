import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { InterviewDetail } from '@interview-prep/contracts/history/history';
import { mixedSetId } from '@interview-prep/contracts/recording/mixed-sessions';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { beginVisit } from './begin-visit.ts';
import {
  type Account,
  goWithoutLoading,
  launchBrowser,
  newDeveloper,
  newVisitor,
  tokenOf,
  viewports,
  watchForErrors,
} from './browser.ts';
import { askAs, interviewSet, recordedSession, type SetHead } from './recorded-session.ts';
import { type Speech, tone } from './speech.ts';

let unspoken: Speech;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [unspoken, browser] = await Promise.all([tone(), launchBrowser()]);
  context = await newVisitor(browser);
});
afterAll(async () => {
  await browser.close();
  await unspoken.remove();
});

/** Sends silent answers to some questions of a set. @returns their percentages once all are judged */
async function sendWeakAnswers(who: Account, set: SetHead, questionIds: readonly number[]): Promise<number[]> {
  const session = { askedQuestions: questionIds, sessionId: randomUUID() };
  let id = '';
  for (const questionId of questionIds) {
    id = await recordedSession(who, set, unspoken.path, { ...session, questionId });
  }
  const percentages = async () =>
    ((await askAs<InterviewDetail>(who, `/api/interviews/${id}`)).recordings ?? [])
      .map(({ correctnessPercentage }) => correctnessPercentage)
      .filter((one) => typeof one === 'number');
  await expect.poll(percentages, { timeout: 300_000, interval: 500 }).toHaveLength(questionIds.length);
  return percentages();
}

/** Starts a session with one question from each of two sets, with a silent answer to the first. @returns the history entry's id */
async function beginMixed(who: Account, sources: { setId: string; questionId: number }[]): Promise<string> {
  const form = new FormData();
  form.set('sessionId', randomUUID());
  form.set('questionId', '0');
  form.set('interviewSetId', mixedSetId);
  form.set('sources', JSON.stringify(sources));
  form.set('audio', new Blob([await readFile(unspoken.path)], { type: 'audio/wav' }), 'recording.webm');
  const headers = { Authorization: `Bearer ${await tokenOf(who)}` };
  const url = `${inject('productUrl')}/api/interviews/recordings`;
  const response = await fetch(url, { method: 'POST', headers, body: form });
  expect(response.status).toBe(201);
  const { interviewId } = ((await response.json()) as { recording: { interviewId: string } }).recording;
  const known = () => fetch(`${inject('productUrl')}/api/interviews/${interviewId}`, { headers });
  await expect.poll(async () => (await known()).status, { timeout: 15_000 }).toBe(200);
  return interviewId;
}

test('after a first interview with three weak answers, the home screen shows the next step without scrolling', async () => {
  const who = await newDeveloper();
  const set = await interviewSet('dev', 'JavaScript: Scope, Closures and this');
  for (const percentage of await sendWeakAnswers(who, set, [0, 1, 2])) expect(percentage).toBeLessThan(60);

  const page = await beginVisit(context, who);
  const expectNoErrors = watchForErrors(page);
  await page.goto('/');
  for (const viewport of [viewports.phone, viewports.desktop]) {
    await page.setViewportSize(viewport);
    const now = page.getByRole('region', { name: 'Up next' });
    await now.getByText(/scored under 60%|points are still missing/).waitFor();
    const box = await now.getByRole('link', { name: /again|Practice/ }).boundingBox();
    expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).toBeLessThan(viewport.height);
  }
  expectNoErrors();
}, 480_000);

test('a review of questions from two sets names both in the history, and the set of each question', async () => {
  const who = await newDeveloper();
  const javascript = await interviewSet('dev', 'JavaScript Warm-up');
  const react = await interviewSet('dev', 'React: Components, State and Hooks');
  const mixed = await beginMixed(who, [
    { setId: javascript._id, questionId: 1 },
    { setId: react._id, questionId: 0 },
  ]);
  const page = await beginVisit(context, who);
  const expectNoErrors = watchForErrors(page);
  await page.goto('/interviews');
  const row = page.getByRole('listitem').filter({ hasText: 'Review of 2 questions' });
  await row.getByText(`From ${javascript.title}, ${react.title}`).waitFor();
  await goWithoutLoading(page, `/interviews/${mixed}`);
  await page.getByText(`Question 1 · from ${javascript.title}`).waitFor();
  expectNoErrors();
});
