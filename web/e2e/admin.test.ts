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
/** Makes names unique to a test. */
let mark: string;

beforeAll(async () => {
  browser = await launchBrowser();
  context = await newVisitor(browser);
});
beforeEach(async () => {
  mark = randomUUID().slice(0, 8);
  page = await beginVisit(context, 'admin');
  expectNoErrors = watchForErrors(page);
});
afterAll(() => browser.close());

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const choose = (technology: string) =>
  page.getByRole('group', { name: 'Technologies' }).getByText(technology, { exact: true }).click();
const sawToast = (message: string) =>
  page.locator('[data-toast="success"]').getByText(message, { exact: true }).waitFor();
/** A row of a list; the admin's overview above the sets also names some of them. */
const cardOf = (title: string) =>
  page.getByRole('listitem').filter({ hasText: title }).and(page.locator(':not([aria-label="Overview"] li)'));

test('an interview set is created, edited and deleted', async () => {
  const title = `Closures ${mark}`;
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

test('a technology is added, renamed and deleted; a duplicate is refused', async () => {
  const name = `Elixir ${mark}`;
  await page.goto('/technologies');
  const field = page.getByLabel('Technology name');
  await field.fill(name);
  await press('Add');
  await sawToast('Technology added successfully');
  await field.fill(`  ${name.toUpperCase()} `);
  await press('Add');
  await page.getByText('Technology already exists').first().waitFor();
  await field.fill('');

  await page.getByPlaceholder(/^Search/).fill(mark);
  await press(`Edit ${name}`);
  const rename = page.getByLabel(`New name for ${name}`);
  await rename.fill(' ');
  await press('Confirm');
  await page.getByText('Technology name cannot be empty').first().waitFor();
  await rename.fill(`${name} OTP`);
  await press('Confirm');
  await sawToast('Technology updated successfully');
  await press(`Delete ${name} OTP`);
  await press(`Delete “${name} OTP”`);
  await sawToast('Technology deleted successfully');
  await page.getByText(`No technology matches “${mark}”`).waitFor();
  expectNoErrors();
});

test('a developer is added, changed, signs in with the given password, and is deleted', async () => {
  const email = `dev-${mark}@example.com`;
  const password = 'a fine password';
  await page.goto('/users');
  await press('Add User');
  await page.getByText('Please fill in all required fields and select at least one technology').first().waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await choose('React');
  await press('Add User');
  // Users from other test files may fill the list's first page.
  await page.getByPlaceholder(/^Search/).fill(email);
  const row = cardOf(email);
  await row.waitFor();
  await expect.poll(() => row.textContent()).toMatch(/dev.*React.*Never/s);

  await press(`Edit ${email}`);
  await expect.poll(() => page.getByLabel('Email', { exact: true }).isDisabled()).toBe(true);
  await expect.poll(() => page.getByLabel('Password', { exact: true }).count()).toBe(0);
  await choose('Python');
  await press('Update User');
  await row.getByText(/Python/).waitFor();

  const other = await newVisitor(browser);
  const developer = await other.newPage();
  await developer.goto('/');
  await developer.getByLabel('Email').fill(email);
  await developer.getByLabel('Password', { exact: true }).fill(password);
  await developer.getByRole('button', { name: 'Sign In', exact: true }).click();
  await developer.getByRole('button', { name: `Account menu for ${email}` }).waitFor();

  await press(`Delete ${email}`);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^Delete .*${email}`) })
    .click();
  await row.waitFor({ state: 'detached' });
  await developer.goto('/');
  await developer.getByRole('heading', { name: 'Interview Platform Login' }).waitFor();
  await other.close();
  expectNoErrors();
});

test('a practice set is added, edited inline, practiced, and deleted', async () => {
  const title = `Rehearsal ${mark}`;
  await page.goto('/admin/practice');
  const form = page.getByRole('form', { name: 'Add practice set' });
  await expect.poll(() => form.getByRole('button', { name: /^Remove question/ }).count()).toBe(0);
  await form.getByLabel('Title').fill(title);
  await form.getByLabel('Technology').selectOption({ label: 'React' });
  await form.getByRole('button', { name: 'Add Practice Set' }).click();
  await form.getByText('Please add at least one question and answer').waitFor();
  await form.getByLabel('Question 1').fill('What is a hook?');
  await form.getByLabel('Answer 1').fill('A function that gives a component state.');
  await form.getByRole('button', { name: 'Add Question' }).click();
  await form.getByRole('button', { name: 'Remove question 2' }).click();
  await form.getByRole('button', { name: 'Add Practice Set' }).click();

  await page.getByPlaceholder(/^Search/).fill(mark);
  await press(`Edit ${title}`);
  const edit = page.getByRole('form', { name: `Edit ${title}` });
  await edit.getByLabel('Tags').fill('hooks, state');
  await edit.getByRole('button', { name: 'Save', exact: true }).click();
  await edit.waitFor({ state: 'detached' });
  await page.getByPlaceholder(/^Search/).fill(`${mark} React hooks`);
  await press(`Questions and answers of ${title}`);
  await page.getByText('A function that gives a component state.').waitFor();

  await page.getByRole('link', { name: 'Practice Interview' }).click();
  // Sets from other test files may fill the first page.
  await page.getByRole('heading', { level: 1, name: 'Practice Interview' }).waitFor();
  await page.getByPlaceholder(/^Search/).fill(mark);
  await page.getByRole('link', { name: `Practice Interview: ${title}` }).click();
  await page.getByRole('heading', { name: 'What is a hook?' }).waitFor();

  await page.goto('/admin/practice');
  await page.getByPlaceholder(/^Search/).fill(mark);
  await press(`Delete ${title}`);
  await page.getByText('Are you sure you want to delete this practice set?').waitFor();
  await press(`Delete “${title}” and its 1 question`);
  await page.getByText(`No practice set matches “${mark}”`).waitFor();
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

  await page.reload();
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByLabel('Outcome').selectOption({ label: 'Success' });
  await expect
    .poll(() => rows.allTextContents())
    .toEqual([expect.stringMatching(/^Sign-in/), expect.stringMatching(/^User created/)]);
  await page.getByLabel('Outcome').selectOption({ label: 'Failed' });
  await page.getByText('No event matches').waitFor();
  await press('Clear filters');
  await rows.first().waitFor();
  expect(new URL(page.url()).hash).toBe('');
  expectNoErrors();
});

test('interview sets: errors in a file are listed by row; a valid file is imported, replaced, and exported again', async () => {
  const title = `Imported ${mark}`;
  const csv = (technology: string) =>
    Buffer.from(
      `title,technology,tags,question,expert answer\n"${title}",${technology},"a, b",What is one?,One.\n"${title}",${technology},"a, b",What is two?,Two.\n`,
    );
  const chooseFile = async (button: string, buffer: Buffer) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(button)]);
    await chooser.setFiles({ name: 'sets.csv', mimeType: 'text/csv', buffer });
  };
  await page.goto('/new');
  await press('Import');
  await chooseFile('Choose a file', csv('Cobol'));
  const errors = page.getByRole('list', { name: 'Errors in the file' });
  await errors.waitFor();
  await expect.poll(() => errors.textContent()).toMatch(/2.*Cobol/s);
  await chooseFile('Choose the file again', csv('React'));
  await page.getByText(`1 interview set with 2 questions can be imported. Nothing is saved yet.`).waitFor();
  await press(`Import 1 interview set`);
  await page.getByText('1 of 1').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

  await press('Import');
  await chooseFile('Choose a file', csv('React'));
  await page.getByRole('radio', { name: 'Replace it' }).check();
  await press(`Import 1 interview set`);
  await page.getByText('Replaced', { exact: true }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

  for (const [label, extension] of [
    ['CSV, for spreadsheets', 'csv'],
    ['JSON', 'json'],
  ] as const) {
    await press('Export');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: label }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${extension}$`));
    const text = await readFile(await download.path(), 'utf8');
    for (const part of [title, 'What is one?', 'Two.']) expect(text).toContain(part);
    // Replaced, not added: each question appears once.
    if (extension === 'json') expect(text.split(title)).toHaveLength(2);
  }
  expectNoErrors();
});
