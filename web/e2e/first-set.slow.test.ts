import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '@interview-prep/local/data-folder';
import { type Stack, startStack } from '@interview-prep/local/stack';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished, test } from 'vitest';
import { launchBrowser, newVisitor, watchForErrors } from './browser.ts';
import { recordFor } from './practice-session.ts';

const admin = { email: 'first@example.com', password: 'an installation of my own' };
const developer = { email: 'candidate@example.org', password: 'the second password' };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** An installation that lasts for one test, so that a retry also starts empty. */
async function startEmpty(): Promise<Stack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'interview-prep-e2e-empty-'));
  onTestFinished(() => removeFolder(dataDir));
  const stack = await startStack({
    env: {
      PORT: '0',
      DATA_DIR: dataDir,
      SEED: 'none',
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
    },
  });
  onTestFinished(() => stack.stop());
  return stack;
}

async function signIn({ url }: Stack, { email, password }: typeof admin): Promise<[BrowserContext, Page, () => void]> {
  const context = await newVisitor(browser, { baseURL: url });
  const page = await context.newPage();
  const expectNoErrors = watchForErrors(page);
  await page.goto('/');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('heading', { name: 'Interview Sets' }).waitFor();
  return [context, page, expectNoErrors];
}

test('an empty installation: the first admin is guided to a first set, which a candidate then takes', async () => {
  const stack = await startEmpty();
  const [adminContext, page, expectNoErrors] = await signIn(stack, admin);
  await page.getByText('No interview sets found for this category.').waitFor();
  await page.getByRole('link', { name: 'Add a technology' }).click();
  await page.getByText('No technologies added yet').waitFor();
  await page.getByLabel('Technology name').fill('Erlang');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Technology added successfully').waitFor();

  await page.getByRole('main').getByRole('link', { name: 'Add Interview Set' }).click();
  await page.getByLabel('Interview Set Title').fill('Erlang from the start');
  await page.getByLabel('Technology Category').selectOption({ label: 'Erlang' });
  await page.getByLabel('Questions', { exact: true }).fill('1. What is a process?');
  await page.getByRole('button', { name: 'Save Interview Set' }).click();
  await page.getByText('Showing 1 interview set').waitFor();

  await page.getByRole('link', { name: 'Manage Users' }).click();
  await page.getByLabel('Email').fill(developer.email);
  await page.getByLabel('Password', { exact: true }).fill(developer.password);
  await page.getByRole('group', { name: 'Technologies' }).getByText('Erlang', { exact: true }).click();
  await page.getByRole('button', { name: 'Add User' }).click();
  await page.getByRole('listitem').filter({ hasText: developer.email }).waitFor();

  const [context, candidate, expectNoErrorsThere] = await signIn(stack, developer);
  await candidate.getByRole('link', { name: 'Interview History' }).click();
  await candidate.getByText('No interviews found.').waitFor();
  await candidate.getByRole('link', { name: 'Take an interview' }).click();
  await candidate.getByRole('link', { name: 'Take Interview: Erlang from the start' }).click();
  await candidate.getByRole('button', { name: 'Start now' }).click();
  await recordFor(candidate, 2);
  await candidate.getByRole('button', { name: 'Complete Interview' }).click();
  await candidate.getByText('Interview completed successfully').waitFor();
  await candidate
    .getByRole('link', { name: /Erlang from the start/ })
    .first()
    .click();
  await candidate.getByRole('article', { name: 'Question 1', exact: true }).getByText('What is a process?').waitFor();

  await page.getByRole('link', { name: 'Interview History' }).click();
  await page.getByRole('link', { name: /Erlang from the start/ }).click();
  await page.getByText(developer.email).first().waitFor();
  expectNoErrors();
  expectNoErrorsThere();
  await Promise.all([context.close(), adminContext.close()]);
});
