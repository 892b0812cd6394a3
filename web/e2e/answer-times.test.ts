import { randomUUID } from 'node:crypto';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import {
  acceptDialogs,
  launchBrowser,
  newDeveloper,
  newVisitor,
  signedIn,
  tokenOf,
  watchForErrors,
} from './browser.ts';
import { expectFine } from './looks.ts';
import { practiceSet } from './recorded-session.ts';
import { type Speech, silence, speak } from './speech.ts';

const speeches: Speech[] = [];
afterAll(() => Promise.all(speeches.map((speech) => speech.remove())));

/** A page whose microphone says something, over and over, of a user of its own. */
async function pageWith(speech: Speech) {
  speeches.push(speech);
  const browser = await launchBrowser({ speech: speech.path });
  onTestFinished(() => browser.close());
  const context = await newVisitor(browser);
  await signedIn(context, await newDeveloper());
  const page = await context.newPage();
  acceptDialogs(page);
  return page;
}

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

test('after the thinking time an answer is recorded up to its limit, by keyboard alone, and its length set beside the hint', async () => {
  const page = await pageWith(await speak('A closure is a function together with the variables around it.'));
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
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.getByText(/Question 1 took 0:1[5-9], the hint is 1 min\./).waitFor({ timeout: 300_000 });
  expectNoErrors();
}, 480_000);

test('in practice too devices are chosen, and an answer without a sound is held', async () => {
  const page = await pageWith(await silence());
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
