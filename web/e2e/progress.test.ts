import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { InterviewDetail } from '@interview-prep/contracts/history';
import { mixedSetId } from '@interview-prep/contracts/mixed-sessions';
import type { Progress } from '@interview-prep/contracts/progress';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  type Account,
  launchBrowser,
  newDeveloper,
  newVisitor,
  signedIn,
  tokenOf,
  viewports,
  watchForErrors,
} from './browser.ts';
import { interviewSet, recordedSession, type SetHead } from './recorded-session.ts';
import { type Speech, speak, tone } from './speech.ts';

/** A good answer to the first question of the set. */
const spoken =
  'A function gives a name to a group of instructions. We write the instructions once, and we can use them many times. ' +
  'Functions receive input values and return a result. Each function should have only one purpose.';

const weak = 'It is a thing in the program that somebody can call.';

let speeches: { good: Speech; weak: Speech; silence: Speech };
/** Its microphone says the good answer. */
let browser: Browser;

beforeAll(async () => {
  speeches = { good: await speak(spoken), weak: await speak(weak), silence: await tone() };
  browser = await launchBrowser({ speech: speeches.good.path });
});
afterAll(async () => {
  await browser.close();
  for (const speech of Object.values(speeches)) await speech.remove();
});

async function ask<Result>(who: Account, path: string): Promise<Result> {
  const headers = { Authorization: `Bearer ${await tokenOf(who)}` };
  return (await (await fetch(`${inject('productUrl')}${path}`, { headers })).json()) as Result;
}

/** Sends the weak answer to some questions of a set. @returns their percentages once all are judged */
async function sendWeakAnswers(who: Account, set: SetHead, questionIds: readonly number[]): Promise<number[]> {
  const session = { askedQuestions: questionIds, sessionId: randomUUID() };
  let id = '';
  for (const questionId of questionIds) {
    id = await recordedSession(who, set, speeches.weak.path, { ...session, questionId });
  }
  const percentages = async () =>
    ((await ask<InterviewDetail>(who, `/api/interviews/${id}`)).recordings ?? [])
      .map(({ correctnessPercentage }) => correctnessPercentage)
      .filter((one) => typeof one === 'number');
  await expect.poll(percentages, { timeout: 300_000, interval: 500 }).toHaveLength(questionIds.length);
  return percentages();
}

/** Answers the first question of a set for this long. @returns the average once it is judged, as the summary shows it */
async function answerFirst(page: Page, setId: string, seconds: number): Promise<number> {
  await page.goto(`/interview/${setId}?questions=1`);
  await page.getByRole('button', { name: 'Start now' }).click();
  await page.getByText('Recording in progress...').waitFor();
  await page
    .getByRole('timer')
    .getByText(`0:${String(Math.floor(seconds)).padStart(2, '0')}`)
    .waitFor({ timeout: 120_000 });
  await page.getByRole('button', { name: 'Complete Interview' }).click();
  const summary = page.getByRole('region', { name: 'The interview you finished' });
  const average = summary.getByText(/^\d+ %$/).first();
  // The speech engine shares two cores with the browsers of other tests.
  await average.waitFor({ timeout: 300_000 });
  return Number.parseInt((await average.textContent()) ?? '', 10);
}

/** Begins a session with one question each of two sets, answered by silence to the first. @returns the history entry's id */
async function beginMixed(who: Account, sources: { setId: string; questionId: number }[]): Promise<string> {
  const form = new FormData();
  form.set('sessionId', randomUUID());
  form.set('questionId', '0');
  form.set('interviewSetId', mixedSetId);
  form.set('sources', JSON.stringify(sources));
  form.set('audio', new Blob([await readFile(speeches.silence.path)], { type: 'audio/wav' }), 'recording.webm');
  const headers = { Authorization: `Bearer ${await tokenOf(who)}` };
  const url = `${inject('productUrl')}/api/interviews/recordings`;
  const response = await fetch(url, { method: 'POST', headers, body: form });
  expect(response.status).toBe(201);
  return ((await response.json()) as { recording: { interviewId: string } }).recording.interviewId;
}

async function openAs(who: Account) {
  const context = await newVisitor(browser);
  await signedIn(context, who);
  const page = await context.newPage();
  const expectNoErrors = watchForErrors(page);
  const close = async () => {
    expectNoErrors();
    await context.close();
  };
  return { page, close };
}

test('after a first interview with three weak answers, the first screen says what to do now without scrolling', async () => {
  const who = await newDeveloper();
  const set = await interviewSet('dev', 'JavaScript: Scope, Closures and this');
  for (const percentage of await sendWeakAnswers(who, set, [0, 1, 2])) expect(percentage).toBeLessThan(60);

  const { page, close } = await openAs(who);
  for (const viewport of [viewports.phone, viewports.desktop]) {
    await page.setViewportSize(viewport);
    await page.goto('/');
    const now = page.getByRole('region', { name: 'What to do now' });
    await now.getByText(/are below 60 %|points are still missing/).waitFor();
    const box = await now.getByRole('link', { name: /again|Practise/ }).boundingBox();
    expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).toBeLessThan(viewport.height);
  }
  await close();
}, 480_000);

test('a second, better interview shows in the summary, the comparison, the progress and the review queue', async () => {
  const who = await newDeveloper();
  const set = await interviewSet('dev', 'JavaScript Warm-up');
  const question = set.questions[0] ?? '';

  const [first = 100] = await sendWeakAnswers(who, set, [0]);
  expect(first).toBeLessThan(60);

  const { page, close } = await openAs(who);
  const second = await answerFirst(page, set._id, speeches.good.seconds + 2);
  expect(second).toBeGreaterThan(first + 20);

  await page.goto('/');
  await page
    .getByRole('region', { name: 'Your progress' })
    .getByText(`JavaScript: ${second} %, ${first} % before`)
    .waitFor();

  await page.goto('/progress');
  const javascript = page.getByRole('region', { name: 'JavaScript', exact: true });
  await javascript.getByRole('img', { name: `Line of 2 interviews from ${first} to ${second} %` }).waitFor();
  await javascript.getByText('Show the table').click();
  const rows = (await javascript.getByRole('row').all()).slice(1);
  const averages = await Promise.all(rows.map((row) => row.getByRole('cell').last().textContent()));
  expect(averages).toEqual([`${second} %`, `${first} %`]);
  const progress = await ask<Progress>(who, '/api/progress');
  expect(progress).toMatchObject({ streakDays: 1, sessionCount: 2 });
  expect(progress.spokenMs).toBeGreaterThan(speeches.good.seconds * 1000);

  // A good answer moves the question on, by more days than a weak one.
  const queue = page.getByRole('region', { name: 'Review queue' });
  const { questions } = await ask<{ questions: { dueAt: string; answeredAt: string }[] }>(who, '/api/reviews');
  expect(questions).toHaveLength(1);
  const [{ dueAt, answeredAt } = { dueAt: '', answeredAt: '' }] = questions;
  expect((Date.parse(dueAt) - Date.parse(answeredAt)) / 86_400_000).toBeGreaterThan(1);
  expect(await queue.getByRole('listitem').allTextContents()).toEqual([expect.stringContaining(question)]);

  // The comparison says what the second take won.
  const latest = progress.latest?._id ?? '';
  await page.goto(`/interviews/${latest}/takes/1`);
  const takes = page.getByRole('table', { name: 'Takes, oldest first' });
  await takes.getByText(`${second} %`, { exact: true }).waitFor();
  await takes.getByText(`${first} %`, { exact: true }).waitFor();
  const won = page.getByRole('heading', { name: /^Points won/ });
  expect(Number((await won.textContent())?.replace(/\D/g, ''))).toBeGreaterThan(0);

  // A review asks the question, and says which set it is from.
  await page.goto('/progress');
  await queue.getByRole('link', { name: 'Review 1 question early' }).click();
  await page.getByRole('button', { name: 'Start now' }).click();
  await page.getByText('From JavaScript Warm-up').waitFor();
  await page.getByRole('heading', { name: question }).waitFor();
  await page.getByText('Question 1 of 1').waitFor();

  const react = await interviewSet('dev', 'React: Components, State and Hooks');
  const sources = [
    { setId: set._id, questionId: 1 },
    { setId: react._id, questionId: 0 },
  ];
  const mixed = await beginMixed(who, sources);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('/interviews');
  const row = page.getByRole('listitem').filter({ hasText: 'Review of 2 questions' });
  await row.getByText(`From JavaScript Warm-up, ${react.title}`).waitFor();
  await page.goto(`/interviews/${mixed}`);
  await page.getByText('Question 1 · from JavaScript Warm-up').waitFor();
  await close();
}, 480_000);
