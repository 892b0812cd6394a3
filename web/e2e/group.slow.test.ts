import { randomUUID } from 'node:crypto';
import type { Group, GroupDetail } from '@interview-prep/contracts/auth/groups';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, newDeveloper, newVisitor, signedIn, tokenOf, watchForErrors } from './browser.ts';
import { eachOnce, expectFine } from './looks.ts';
import { press, recordFor } from './practice-session.ts';
import { type Speech, speak } from './speech.ts';

let browser: Browser;
let speech: Speech;

beforeAll(async () => {
  speech = await speak('A function gives a name to a group of instructions. We write them once, and use them often.');
  browser = await launchBrowser({ speech: speech.path });
});
afterAll(async () => {
  await browser.close();
  await speech.remove();
});

/** A group with one coach, created by an admin. */
async function newGroup(coachToken: string): Promise<Group> {
  const ask = async <Result>(method: string, path: string, body?: object, token?: string): Promise<Result> => {
    const response = await fetch(`${inject('productUrl')}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token ?? (await tokenOf('admin'))}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Result;
  };
  const { group } = await ask<{ group: Group }>('POST', '/api/groups', { name: `Class ${randomUUID().slice(0, 8)}` });
  const { user } = await ask<{ user: { id: string } }>('GET', '/api/auth/me', undefined, coachToken);
  await ask('PUT', `/api/groups/${group.id}/people/${user.id}`, { role: 'coach' });
  return group;
}

/** The link in the mail to an address. */
async function mailedLink(email: string): Promise<URL> {
  let link: string | undefined;
  const find = async () => {
    const caught = (await (await fetch(`${inject('mailUrl')}messages`)).json()) as { to: string[]; links: string[] }[];
    link = caught.find(({ to }) => to.includes(email))?.links[0];
    return link;
  };
  await expect.poll(find, { timeout: 60_000 }).toBeDefined();
  return new URL(link ?? '');
}

/** Joins as a new user through the invitation's link, and answers both questions of the assigned set aloud. */
async function joinAndAnswer(email: string): Promise<Page> {
  const page = await (await newVisitor(browser)).newPage();
  const { pathname, hash } = await mailedLink(email);
  await page.goto(pathname + hash);
  await page.getByText(/They see nothing of what you practice for yourself/).waitFor();
  await page.getByLabel('New Password', { exact: true }).fill('a password of my own');
  await page.getByLabel('Confirm New Password').fill('a password of my own');
  await press(page, 'Create account and join');
  await page.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
  await page.goto('/');
  await page.getByRole('link', { name: 'Start: JavaScript Warm-up' }).click();
  await press(page, 'Start now');
  await page.getByText('Question 1 of 2').waitFor();
  await recordFor(page, speech.seconds + 1);
  await press(page, 'Next Question');
  await page.getByText('Question 2 of 2').waitFor();
  await recordFor(page, 3);
  await press(page, 'Complete Interview');
  await page.getByText('Interview completed successfully').waitFor();
  return page;
}

test('a coach invites 200 people, assigns work, follows three who answer, releases feedback, reviews, and reads a report', async () => {
  const coach = await newDeveloper();
  const group = await newGroup(await tokenOf(coach));
  const run = randomUUID().slice(0, 8);
  const emails = Array.from({ length: 200 }, (_, index) => `member-${index}-${run}@example.com`);
  const context = await newVisitor(browser);
  await signedIn(context, coach);
  const page = await context.newPage();
  const expectNoErrors = watchForErrors(page);

  await page.goto(`/groups/${group.id}`);
  await page.getByRole('button', { name: 'Invite people' }).first().click();
  const file = ['email,name', ...emails.map((email, index) => `${email},Member ${index}`)].join('\n');
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'class.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await press(page, 'Invite 200 people');
  await page.getByText('200 invitations on the way').waitFor();

  await page.getByRole('button', { name: 'Assign work' }).click();
  const dialog = page.getByRole('dialog', { name: /^Assign work/ });
  await dialog.getByLabel('Title').fill('Week 1');
  await dialog.getByRole('combobox', { name: 'Sets' }).or(dialog.getByLabel('Sets')).first().fill('JavaScript Warm-up');
  await page.getByRole('option', { name: 'JavaScript Warm-up', exact: true }).click();
  await page.keyboard.press('Tab');
  await dialog.getByLabel('Members see feedback').selectOption('When you release it');
  await press(page, 'Assign');
  await page.getByRole('link', { name: 'Week 1' }).click();
  await page.getByText('No members yet').waitFor();

  // The roster stays open and refreshes.
  const [asker, ...others] = await Promise.all(emails.slice(0, 3).map(joinAndAnswer));
  if (!asker) throw new Error('Nobody has joined');
  await page.getByText('Done 3', { exact: true }).waitFor();
  // The speech engine shares two cores with the browsers.
  for (const member of [0, 1, 2]) {
    const row = page.getByRole('row', { name: new RegExp(`Member ${member}`) });
    await expect.poll(() => row.textContent(), { timeout: 120_000 }).toMatch(/Latest \d+%/);
  }
  await expectFine(page, eachOnce);

  await page.getByRole('checkbox', { name: 'Select all 3' }).check();
  await page.getByRole('button', { name: 'Remind' }).click();
  const remind = page.getByRole('dialog', { name: 'Remind 0 members?' });
  expect(await remind.getByRole('button', { name: 'Remind 0 members' }).isDisabled()).toBe(true);
  await remind.getByRole('button', { name: 'Cancel' }).click();

  // An export with thousands of rows: the security policy doesn't allow a worker to compress it.
  const people = `**/api/groups/${group.id}`;
  await page.route(people, async (route) => {
    const response = await route.fetch();
    const { group: shown } = (await response.json()) as { group: GroupDetail };
    const more = Array.from({ length: 2000 }, (_, index) => ({
      userId: String(index).padStart(24, '0'),
      email: `more-${index}@example.com`,
      role: 'member' as const,
      joinedAt: shown.createdAt,
    }));
    await route.fulfill({ response, json: { group: { ...shown, people: [...shown.people, ...more] } } });
  });
  await page.reload();
  await page.getByRole('checkbox', { name: 'Select all 2003' }).waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Excel (XLSX)' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^week-1-.*\.xlsx$/);
  await page.unroute(people);
  await page.reload();

  await asker
    .getByRole('link', { name: /JavaScript Warm-up/ })
    .first()
    .click();
  const answer = asker.getByRole('article', { name: 'Question 1', exact: true });
  await answer.getByText('You will see feedback when your coach releases it.').waitFor();
  await press(page, 'Release feedback');
  await page.getByRole('dialog').getByRole('button', { name: 'Release feedback' }).click();
  await page.getByText('Feedback released').waitFor();
  await asker.reload();
  await answer.getByText(/^(Correct|Partially correct|Incorrect)$/).waitFor({ timeout: 60_000 });
  await answer.getByRole('button', { name: 'Request a human review' }).last().press('Enter');
  await answer.getByRole('textbox', { name: 'What is wrong with this verdict?' }).fill(`I said it: ${run}.`);
  await answer.getByRole('button', { name: 'Request a human review' }).last().press('Enter');
  await answer.getByText('Waiting for a reviewer').waitFor();

  await page.goto('/admin/appeals');
  await page.getByText(`I said it: ${run}.`).waitFor({ timeout: 30_000 });
  const asked = page.getByRole('listitem').filter({ hasText: run });
  await asked.getByRole('link').press('Enter');
  await page.getByRole('region', { name: 'Your verdict' }).getByRole('group').first().waitFor();
  await page.keyboard.type('1rIt is there.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Your verdict is saved').waitFor();
  await answer.getByText('scored by a coach').waitFor({ timeout: 30_000 });

  await page.goto(`/groups/${group.id}`);
  await page.getByRole('link', { name: 'Week 1' }).click();
  await page.getByRole('link', { name: 'Report' }).click();
  await page.getByText('3 of 3', { exact: true }).waitFor();
  await page.getByRole('table', { name: 'Members' }).getByRole('link', { name: 'Member 0' }).click();
  await page.getByText('It is there.').waitFor();
  expectNoErrors();
  await Promise.all([asker, ...others].map((member) => member.context().close()));
});
