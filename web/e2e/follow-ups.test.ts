import { randomUUID } from 'node:crypto';
import type { OpenFollowUps } from '@interview-prep/contracts/follow-ups';
import type { InterviewItem } from '@interview-prep/contracts/history';
import type { InterviewSet } from '@interview-prep/contracts/sets';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, newDeveloper, newVisitor, type Person, signedIn, tokenOf, watchForErrors } from './browser.ts';
import { type Speech, speak } from './speech.ts';

let speech: Speech;
let browser: Browser;

beforeAll(async () => {
  speech = await speak('A closure is a kind of function.');
  browser = await launchBrowser({ speech: speech.path });
});
afterAll(async () => {
  await browser.close();
  await speech.remove();
});

async function call<Result>(who: Person, path: string, body?: object): Promise<Result> {
  const headers = { Authorization: `Bearer ${await tokenOf(who)}`, 'Content-Type': 'application/json' };
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  return (await (await fetch(`${inject('productUrl')}${path}`, { headers, ...init })).json()) as Result;
}

/** Lets the page's microphone be switched off and on. */
function keepMicrophone(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints);
      addEventListener('switch microphone', ({ detail }: CustomEventInit<boolean>) => {
        for (const track of stream.getAudioTracks()) track.enabled = detail === true;
      });
      return stream;
    };
  });
}

const switchMicrophone = (page: Page, on: boolean) =>
  page.evaluate((detail) => dispatchEvent(new CustomEvent('switch microphone', { detail })), on);

/** Speaks for so long. */
async function answer(page: Page): Promise<void> {
  await page.getByText('Recording in progress...').waitFor();
  const seconds = Math.ceil(speech.seconds);
  await page.getByRole('timer').getByText(`0:0${seconds}`).waitFor({ timeout: 120_000 });
}

test('a set that asks follow-up questions asks one about what an answer missed, and the detail shows it under its question', async () => {
  const questions = ['What is a closure?', 'What is a closure good for?'];
  const expertAnswer =
    'A closure is a function together with the variables of the scope it was made in. The garbage collector cannot reclaim what a closure holds.';
  const title = `Closures ${randomUUID()}`;
  const { interviewSet } = await call<{ interviewSet: InterviewSet }>('admin', '/api/interviews/sets', {
    title,
    technology: 'javascript',
    questions,
    expertAnswers: [expertAnswer, ''],
    asksFollowUps: true,
  });
  const who = await newDeveloper();
  const context = await newVisitor(browser);
  await signedIn(context, who);
  const page = await context.newPage();
  const expectNoErrors = watchForErrors(page);
  await keepMicrophone(page);

  await page.goto(`/interview/${interviewSet._id}`);
  await page.getByRole('button', { name: 'Start now' }).click();
  await answer(page);
  // However long the wait for the follow-up question, the second answer is nothing for the speech engine.
  await switchMicrophone(page, false);
  await page.getByRole('button', { name: 'Next Question' }).click();
  await page.getByText('Question 2 of 2').waitFor();
  // The first answer is judged while the second is given.
  const newest = async () =>
    (await call<{ recordings: InterviewItem[] }>(who, '/api/interviews/history?limit=1')).recordings[0];
  const followUps = async () => {
    const session = await newest();
    return session ? (await call<OpenFollowUps>(who, `/api/sessions/${session._id}/follow-ups`)).followUps : [];
  };
  await expect.poll(followUps, { timeout: 300_000, interval: 1000 }).toHaveLength(1);
  const [{ question } = { question: '' }] = await followUps();
  expect(question).toMatch(/^You .+\?$/);
  await page.getByText("We can't hear you.").waitFor();
  await page.getByRole('button', { name: 'Complete Interview' }).click();
  await page.getByText('We heard nothing in this answer.').waitFor();
  await switchMicrophone(page, true);
  await page.getByRole('button', { name: 'Complete Interview' }).click();

  await page.getByText('Follow-up to question 1').waitFor();
  await page.getByRole('heading', { name: question }).waitFor();
  await answer(page);
  await page.getByRole('button', { name: 'Complete Interview' }).click();
  // The second question has no expert answer, so nothing follows it.
  await page.getByText('Interview completed successfully').waitFor();

  await expect.poll(newest).toMatchObject({ title, questionCount: 3, answeredCount: 3 });
  await page.goto(`/interviews/${(await newest())?._id}`);
  const card = page.getByRole('article', { name: 'Question 1, follow-up' });
  await card.getByText(question).waitFor();
  await card
    .getByText(/^\d+ %$|(Correct|Partly|Incorrect)\s*\d+ %/)
    .first()
    .waitFor({ timeout: 300_000 });
  const cards = await page.getByRole('article').all();
  expect(await Promise.all(cards.map((each) => each.getAttribute('aria-label')))).toEqual([
    'Question 1',
    'Question 1, follow-up',
    'Question 2',
  ]);
  expectNoErrors();
  await context.close();
}, 480_000);
