import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Account, expectAccessible, launchBrowser, newDeveloper, newVisitor, signedIn } from './browser.ts';
import { openSession, practiceTitle, press, recordFor } from './practice-session.ts';
import { interviewSet } from './recorded-session.ts';

let browser: Browser;
let account: Account;

beforeAll(async () => {
  [browser, account] = await Promise.all([launchBrowser({ canDenyMedia: true }), newDeveloper()]);
});
afterAll(() => browser.close());

/** A visit in a context of its own, for the time of the test. */
async function visit(options: Parameters<typeof newVisitor>[1]): Promise<Page> {
  const context = await newVisitor(browser, options);
  onTestFinished(() => context.close());
  await signedIn(context, account);
  return context.newPage();
}

test('a blocked microphone, or camera and microphone, are explained; once they are allowed one can go on', async () => {
  const page = await visit({ mediaDenied: true });
  const { _id } = await interviewSet('dev', 'JavaScript Warm-up');
  await page.goto(`/interview/${_id}`);
  await page.getByText('The microphone is blocked').waitFor();
  await expect.poll(() => page.getByText(/set 'Microphone' to 'Allow'/).isVisible()).toBe(true);
  await page.context().grantPermissions(['microphone']);
  await page.getByRole('button', { name: 'Start now' }).waitFor();

  await page.context().clearPermissions();
  await openSession(page);
  await page.getByText('Camera and microphone are blocked').waitFor();
  await page.getByText('Not recording', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Start Recording' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await page.context().grantPermissions(['microphone', 'camera']);
  await press(page, 'Start Recording');
  await recordFor(page, 1);
});

test('without a camera the voice alone is recorded, and played as audio', async () => {
  const page = await visit({ permissions: ['microphone'] });
  await openSession(page);
  await page.getByText('Only your voice is recorded').waitFor();
  await press(page, 'Start Recording');
  await recordFor(page, 2);
  await press(page, 'Finish Practice');
  await press(page, 'Finish now');
  await page.waitForURL('**/practiceInterviews');
  await page
    .getByRole('link', { name: new RegExp(practiceTitle) })
    .first()
    .click();
  await page.getByRole('article', { name: 'Question 1', exact: true }).locator('audio').waitFor({ state: 'attached' });
});
