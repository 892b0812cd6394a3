import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { beginVisit } from './begin-visit.ts';
import { launchBrowser, newDeveloper, newVisitor, tokenOf, watchForErrors } from './browser.ts';
import { eachOnce, expectFine } from './looks.ts';

let browser: Browser;
let context: BrowserContext;
let page: Page;
let expectNoErrors: () => void;

beforeAll(async () => {
  browser = await launchBrowser();
  context = await newVisitor(browser);
});
beforeEach(async () => {
  page = await beginVisit(context, 'admin');
  expectNoErrors = watchForErrors(page);
});
afterAll(() => browser.close());

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
/** A row of a list; the admin's overview above the sets also names some of them. */
const cardOf = (title: string) =>
  page.getByRole('listitem').filter({ hasText: title }).and(page.locator(':not([aria-label="Overview"] li)'));

test('an interview set is created, edited and deleted', async () => {
  const title = `Closures ${randomUUID().slice(0, 8)}`;
  await page.goto('/new');
  await page.getByLabel('Interview Set Title').fill(title);
  await page.getByLabel('Technology Category').selectOption({ label: 'JavaScript' });
  await page
    .getByLabel('Questions', { exact: true })
    .fill('1. What is a closure?\n\n  2) Where is `this` bound?\nWhat is hoisting?');
  await press('Expert answers (optional)');
  await page.getByLabel('1. What is a closure?').fill('A function with the variables around it.');
  await page.getByLabel('Technical Tags').fill(' scope , , functions ');
  await press('Save Interview Set');
  await page.getByRole('heading', { name: 'Interview Sets' }).waitFor();

  const card = cardOf(title);
  await card.waitFor();
  await expect.poll(() => card.textContent()).toMatch(/4\.5.*3 questions/s);
  for (const words of ['JavaScript', 'scope', 'functions', 'admin@example.com'])
    await expect.poll(() => card.textContent()).toContain(words);

  // By keyboard, since the overview above may still shift the list under the mouse.
  await card.getByRole('link', { name: `Edit: ${title}` }).press('Enter');
  await page.getByRole('heading', { name: 'Edit Interview Set' }).waitFor();
  await expect.poll(() => page.getByLabel('Question 1', { exact: true }).inputValue()).toBe('What is a closure?');
  await press('Remove question 2');
  await page.getByLabel('Add a new question').fill('   ');
  await press('Add Question');
  await page.getByLabel('Add a new question').fill('What is currying?');
  await press('Add Question');
  await expect.poll(() => page.getByLabel('Question 3', { exact: true }).inputValue()).toBe('What is currying?');
  await page.getByLabel('Interview Set Title').fill(`${title}, edited`);
  await press('Save Changes');
  await page.getByRole('heading', { name: 'Interview Sets' }).waitFor();

  await cardOf(`${title}, edited`).getByRole('link', { name: /^Edit/ }).click();
  await press('Delete Set');
  await page.getByRole('dialog', { name: `Delete “${title}, edited”?` }).waitFor();
  await press(`Delete “${title}, edited” and its 3 questions`);
  await page.getByRole('heading', { name: 'Interview Sets' }).waitFor();
  await page.getByText(/Showing \d+ interview sets/).waitFor();
  await cardOf(title).waitFor({ state: 'detached' });
  expectNoErrors();
});

test('the audit log shows what was refused to whom: filtered by IP address, and as CSV', async () => {
  const developer = await newDeveloper();
  const ask = async (path: string, token: string, body?: object) =>
    fetch(`${inject('productUrl')}${path}`, {
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
  const token = await tokenOf(developer);
  for (let times = 0; times < 3; times += 1) expect((await ask('/api/users', token)).status).toBe(403);
  // Events reach the log through a queue.
  const logged = { person: developer.email, outcome: 'denied', limit: 200 };
  const admin = await tokenOf('admin');
  const loggedCount = async () => (await (await ask('/api/audit/search', admin, logged)).json()).entries.length;
  await expect.poll(loggedCount, { timeout: 60_000 }).toBe(3);

  await page.goto('/audit');
  const rows = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
  await rows.first().waitFor();
  await page.getByLabel('Person').fill(developer.email);
  await page.getByLabel('Outcome').selectOption({ label: 'Denied' });
  await page.waitForURL(({ hash }) => new URLSearchParams(hash.slice(1)).get('person') === developer.email);
  // Until the filter applies, the rows may be from other test files.
  const refusal = new RegExp(`^Access refusedDenied${developer.email}.*from .*GET /api/users`);
  const areRefusals = async () => (await rows.allTextContents()).map((text) => refusal.test(text));
  await expect.poll(areRefusals).toEqual([true, true, true]);
  await expectFine(page, eachOnce);
  const [download] = await Promise.all([page.waitForEvent('download'), press('Download CSV')]);
  expect(download.suggestedFilename()).toMatch(/^audit-log-.*\.csv$/);
  const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(head).toMatch(/^place,at,service,action,outcome,/);
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toContain(`"access","denied",`);
  expectNoErrors();
});
