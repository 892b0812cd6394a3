import { randomUUID } from 'node:crypto';
import type { OpenFollowUps } from '@interview-prep/contracts/follow-ups';
import type { InterviewItem } from '@interview-prep/contracts/history';
import type { InterviewSet } from '@interview-prep/contracts/sets';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  goWithoutLoading,
  launchBrowser,
  newDeveloper,
  newVisitor,
  signedIn,
  tokenOf,
  watchForErrors,
} from './browser.ts';
import { addMicrophoneSwitch, switchMicrophone } from './microphone-switch.ts';
import { recordFor } from './practice-session.ts';
import { askAs } from './recorded-session.ts';
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

/** Sends an answer in which nothing was heard all the same. */
async function sendSilent(page: Page): Promise<void> {
  await page.getByText('We heard nothing in this answer.').waitFor();
  await page.getByRole('button', { name: 'Complete Interview' }).click();
}

test('a set that asks follow-up questions asks one about what an answer missed, and the detail shows it under its question', async () => {
  const questions = ['What is a closure?', 'What is a closure good for?'];
  const expertAnswer =
    'A closure is a function together with the variables of the scope it was made in. The garbage collector cannot reclaim what a closure holds.';
  const title = `Closures ${randomUUID()}`;
  const response = await fetch(`${inject('productUrl')}/api/interviews/sets`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await tokenOf('admin')}` },
    body: JSON.stringify({
      title,
      technology: 'javascript',
      questions,
      expertAnswers: [expertAnswer, ''],
      asksFollowUps: true,
      lengthHintSeconds: 60,
    }),
  });
  const { interviewSet } = (await response.json()) as { interviewSet: InterviewSet };
  const who = await newDeveloper();
  const context = await newVisitor(browser);
  await signedIn(context, who);
  const page = await context.newPage();
  const expectNoErrors = watchForErrors(page);
  await addMicrophoneSwitch(page);

  await page.goto(`/interview/${interviewSet._id}`);
  await page.getByRole('button', { name: 'Start now' }).click();
  await recordFor(page, speech.seconds);
  // However long the wait for the follow-up question, the second answer is nothing for the speech engine.
  await switchMicrophone(page, false);
  await page.getByRole('button', { name: 'Next Question' }).click();
  await page.getByText('Question 2 of 2').waitFor();
  // The first answer is judged while the second is given.
  const newest = async () =>
    (await askAs<{ recordings: InterviewItem[] }>(who, '/api/interviews/history?limit=1')).recordings[0];
  const followUps = async () => {
    const session = await newest();
    return session ? (await askAs<OpenFollowUps>(who, `/api/sessions/${session._id}/follow-ups`)).followUps : [];
  };
  await expect.poll(followUps, { timeout: 300_000, interval: 1000 }).toHaveLength(1);
  const [{ question } = { question: '' }] = await followUps();
  expect(question).toMatch(/^You .+\?$/);
  await page.getByText("We can't hear you.").waitFor();
  await page.getByRole('button', { name: 'Complete Interview' }).click();
  await sendSilent(page);

  await page.getByText('Follow-up to question 1').waitFor();
  await page.getByRole('heading', { name: question }).waitFor();
  await page.getByText("We can't hear you.").waitFor();
  await page.getByRole('button', { name: 'Complete Interview' }).click();
  await sendSilent(page);
  // The second question has no expert answer, so nothing follows it.
  await page.getByText('Interview completed successfully').waitFor();

  await expect.poll(newest).toMatchObject({ title, questionCount: 3, answeredCount: 3 });
  await goWithoutLoading(page, `/interviews/${(await newest())?._id}`);
  const card = page.getByRole('article', { name: 'Question 1, follow-up' });
  await card.getByText(question).waitFor();
  await card
    .getByText(/^\d+%$|(Correct|Partially correct|Incorrect)\s*·\s*\d+%/)
    .first()
    .waitFor({ timeout: 300_000 });
  // How long the answer took is set beside what the set suggests.
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.getByText(/Question 1 took 0:0\d, the hint is 1 min\./).waitFor();
  const cards = await page.getByRole('article').all();
  expect(await Promise.all(cards.map((each) => each.getAttribute('aria-label')))).toEqual([
    'Question 1',
    'Question 1, follow-up',
    'Question 2',
  ]);
  expectNoErrors();
  await context.close();
}, 480_000);
