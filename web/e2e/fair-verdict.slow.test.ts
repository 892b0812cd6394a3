import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goWithoutLoading, launchBrowser, newDeveloper, newVisitor, signedIn, watchForErrors } from './browser.ts';
import { eachOnce, everyLook, expectFine } from './looks.ts';
import { interviewSet, recordedSession } from './recorded-session.ts';
import { type Speech, speak } from './speech.ts';

let browser: Browser;
let speech: Speech;

beforeAll(async () => {
  [browser, speech] = await Promise.all([
    launchBrowser(),
    speak('A function gives a name to a group of instructions. We write them once, and use them many times.'),
  ]);
});
afterAll(async () => {
  await browser.close();
  await speech.remove();
});

const verdict = /^(Correct|Partially correct|Incorrect)$/;
const heard = /We write them once,? and use them many times/i;

async function openAs(person: Parameters<typeof signedIn>[1]): Promise<Page> {
  const context = await newVisitor(browser);
  await signedIn(context, person);
  return context.newPage();
}

test('a candidate sees how the answer was delivered, corrects the transcript, and requests a human review, which a reviewer gives', async () => {
  const candidate = await newDeveloper();
  const set = await interviewSet('candidate', 'JavaScript Warm-up');
  const interviewId = await recordedSession(candidate, set, speech.path);
  const page = await openAs(candidate);
  const expectNoErrors = watchForErrors(page);
  await page.goto(`/interviews/${interviewId}`);
  const answer = page.getByRole('article', { name: 'Question 1', exact: true });
  await answer.getByText(verdict).waitFor({ timeout: 300_000 });
  await answer.getByText(/^\d+ words per minute$/).waitFor();
  await answer.getByText(/Fillers may be undercounted/).waitFor();
  await answer.getByRole('button', { name: /Expert Suggested Answer/ }).press('Enter');
  await expectFine(page, everyLook);

  // By keyboard: the editor takes the focus and returns it.
  await answer.getByRole('button', { name: 'Edit the transcript' }).press('Enter');
  const field = answer.getByRole('textbox', { name: 'What you said' });
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  const text = await field.inputValue();
  expect(text).toMatch(heard);
  // Words added without speech would need a review.
  await field.fill(text.replace(/\S+$/, 'anywhere.'));
  await expectFine(page, eachOnce);
  await answer.getByRole('button', { name: 'Save and rescore' }).press('Enter');
  await answer.getByText('Edited by you.').waitFor({ timeout: 60_000 });
  await answer.getByText(verdict).waitFor({ timeout: 60_000 });
  await answer.getByRole('button', { name: 'Show the original' }).press('Enter');
  await answer.locator('ins').first().waitFor();

  await answer
    .getByRole('button', { name: /^(Not mentioned|Partly covered)/ })
    .first()
    .press('Enter');
  await answer.getByRole('button', { name: 'I said this' }).first().press('Enter');
  const dialog = page.getByRole('dialog', { name: 'I said this' });
  const words = dialog.getByRole('group', { name: 'Your words' }).getByRole('button');
  await words.first().press('Enter');
  await words.first().press('ArrowRight');
  await words.nth(1).press('Enter');
  await expectFine(page, eachOnce);
  await dialog.getByRole('button', { name: 'Rescore' }).press('Enter');
  await answer.getByText(/You marked/).waitFor({ timeout: 60_000 });
  await answer.getByText(verdict).waitFor({ timeout: 60_000 });

  // Unsure points offer it too.
  await answer.getByRole('button', { name: 'Request a human review' }).last().press('Enter');
  await answer.getByRole('textbox', { name: 'What is wrong with this verdict?' }).fill('I said it in other words.');
  await answer.getByRole('button', { name: 'Request a human review' }).last().press('Enter');
  await answer.getByText('Waiting for a reviewer').waitFor();

  const admin = await openAs('admin');
  await admin.goto('/admin/appeals');
  await admin.getByText('I said it in other words.').waitFor();
  await admin
    .getByRole('listitem')
    .filter({ hasText: candidate.email })
    .getByRole('link', { name: set.questions[0] ?? '' })
    .click();
  const asked = admin.getByRole('article', { name: 'Question 1', exact: true });
  await asked.getByRole('textbox', { name: 'Percentage of the whole answer' }).fill('88');
  await asked.getByRole('textbox', { name: 'Why' }).fill('The second sentence says it.');
  await asked.getByRole('button', { name: 'Comment at this moment of the recording' }).press('Enter');
  await asked.getByRole('textbox', { name: 'Comment at 0:00' }).fill('A good beginning.');
  await asked.getByRole('button', { name: 'Snippets' }).press('Enter');
  await admin.getByRole('menuitem', { name: 'New snippet' }).press('Enter');
  const snippet = admin.getByRole('dialog', { name: 'New snippet' });
  await snippet.getByRole('textbox', { name: 'Name' }).fill('Beginning');
  await expectFine(admin, eachOnce);
  await snippet.getByRole('button', { name: 'Save' }).press('Enter');
  await snippet.waitFor({ state: 'detached' });
  await asked.getByRole('button', { name: 'Keyboard' }).press('Enter');
  await admin.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  await expectFine(admin, eachOnce);
  await admin.keyboard.press('Escape');
  // Saving goes to the next waiting answer, from another test, or back to the queue.
  const reviewed = admin.url();
  await asked.getByRole('textbox', { name: 'Why' }).press('Control+Enter');
  await admin.waitForURL(({ href }) => href !== reviewed);

  // The candidate sees it without reloading.
  const answered = answer.getByRole('region', { name: 'Human review' });
  await answered.getByText('88%').waitFor({ timeout: 30_000 });
  await answered.getByText('A good beginning.').waitFor();
  await expectFine(page, eachOnce);
  expect(await answer.getByRole('button', { name: 'Edit the transcript' }).count()).toBe(0);

  // A link shows it to a visitor without an account, until it is revoked.
  await page.getByRole('button', { name: 'Share' }).press('Enter');
  const share = page.getByRole('dialog', { name: 'Share this interview' });
  await share.getByRole('checkbox', { name: 'Scores' }).press('Space');
  await share.getByRole('button', { name: 'Create link' }).press('Enter');
  const link = await share.getByRole('textbox', { name: 'Link' }).inputValue();
  await expectFine(page, eachOnce);
  const visitor = await (await newVisitor(browser)).newPage();
  const response = await visitor.goto(link);
  expect(response?.headers()['x-robots-tag']).toBe('noindex, nofollow');
  const shown = visitor.getByRole('article', { name: 'Question 1', exact: true });
  await shown
    .getByText(/anywhere\./)
    .first()
    .waitFor();
  expect(
    await shown.getByText(/^(Correct|Partially correct|Incorrect|Not judged|Expert Suggested Answer)$/).count(),
  ).toBe(0);
  expect(await visitor.getByText(candidate.email).count()).toBe(0);
  await expectFine(visitor, eachOnce);
  await share.getByRole('button', { name: /^Revoke the link/ }).press('Enter');
  await share.getByRole('region', { name: 'Active links' }).waitFor({ state: 'detached' });
  await visitor.reload();
  await visitor.getByText('This link no longer works').waitFor();

  await goWithoutLoading(admin, '/admin/appeals');
  await admin.getByRole('heading', { name: 'Where the judge and people differ most' }).waitFor();
  await admin.getByRole('cell', { name: set.title }).first().waitFor();
  await expectFine(admin, eachOnce);
  expectNoErrors();
});
