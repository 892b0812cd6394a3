import { randomUUID } from 'node:crypto';
import type { InterviewDetail } from '@interview-prep/contracts/history';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import {
  type Account,
  acceptDialogs,
  launchBrowser,
  newDeveloper,
  newVisitor,
  signedIn,
  tokenOf,
  watchForErrors,
} from './browser.ts';
import { expectFine } from './looks.ts';
import { addMicrophoneSwitch } from './microphone-switch.ts';
import { askAs, practiceSet } from './recorded-session.ts';

/** Its microphone beeps: nothing for the speech engine. */
let browser: Browser;
let account: Account;
let page: Page;

beforeAll(async () => {
  [browser, account] = await Promise.all([launchBrowser(), newDeveloper()]);
  const context = await newVisitor(browser);
  await signedIn(context, account);
  page = await context.newPage();
  acceptDialogs(page);
});
afterAll(() => browser.close());

/** A set of one question whose answers have times. @returns its id */
async function timedSet(): Promise<string> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${await tokenOf('admin')}` };
  const url = `${inject('productUrl')}/api/interviews/sets`;
  const body = JSON.stringify({
    title: `Timed ${randomUUID()}`,
    technology: 'javascript',
    questions: ['What is a closure?'],
    expertAnswers: ['A closure is a function together with the variables around it.'],
    thinkingSeconds: 5,
    timeLimitSeconds: 15,
    lengthHintSeconds: 60,
  });
  const response = await fetch(url, { method: 'POST', headers, body });
  const { interviewSet } = (await response.json()) as { interviewSet: { _id: string } };
  onTestFinished(async () => void (await fetch(`${url}/${interviewSet._id}`, { method: 'DELETE', headers })));
  return interviewSet._id;
}

test('after the thinking time an answer is recorded up to its limit, by keyboard alone', async () => {
  const expectNoErrors = watchForErrors(page);
  await page.goto(`/interview/${await timedSet()}`);
  await page.getByText('You have 5 s to think before the recording starts, then 15 s to answer').waitFor();
  await page.getByRole('button', { name: 'Start now' }).press('Enter');
  await page.getByText('Time to think').waitFor();
  expect(await page.getByText('Recording in progress...').isVisible()).toBe(false);
  await page.getByText('Recording in progress...').waitFor();
  await page.getByText('Aim for about 1 min.').waitFor();
  await page.getByText('0:05 left').waitFor();

  await page.getByText('Time is up. Everything you said is kept.').waitFor();
  await expectFine(page, [
    ['desktop', 'light'],
    ['phone', 'dark'],
  ]);
  await page.keyboard.press('Enter');
  await page.getByText('Interview completed successfully').waitFor();
  await page.getByRole('link', { name: /Timed/ }).first().click();
  await page.getByRole('article', { name: 'Question 1', exact: true }).waitFor();
  const detail = () => askAs<InterviewDetail>(account, `/api${new URL(page.url()).pathname}`);
  await expect.poll(async () => (await detail()).recordings[0]?.durationMs).toBeGreaterThanOrEqual(15_000);
  expect((await detail()).recordings[0]?.durationMs).toBeLessThan(20_000);
  expectNoErrors();
}, 480_000);

test('in practice too devices are chosen, and an answer without a sound is held', async () => {
  await addMicrophoneSwitch(page, { on: false });
  const set = await practiceSet('dev', 'JavaScript Essentials: Practice Round');
  await page.goto(`/practice/session/${set._id}`);
  await page.getByRole('button', { name: 'Start Recording' }).click();
  await page.getByText('Recording in progress...').waitFor();
  await page.getByRole('button', { name: /^Choose microphone and camera/ }).press('Enter');
  await page.getByText('Microphone (switching restarts this answer)').waitFor();
  const chosen = page.getByRole('menuitemradio').filter({ hasText: 'Fake Audio Input 2' });
  await chosen.click();
  await page.getByRole('button', { name: /^Choose microphone and camera \(current: Fake Audio Input 2/ }).waitFor();
  await page.getByText("We can't hear you. Speak up, or choose another microphone.").waitFor();
  await page.getByRole('timer').getByText('0:06').waitFor();
  await page.getByRole('button', { name: 'Next Question' }).click();
  await page.getByText('We heard nothing in this answer.').waitFor();
  await page.getByRole('button', { name: 'Send as it is' }).click();
  await page.getByText('Your answer is saved, but we heard nothing in it.').waitFor();
  expect(await page.getByText('Recording saved successfully').isVisible()).toBe(false);
});
