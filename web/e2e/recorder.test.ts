import type { Browser, BrowserContext, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { beginVisit, emptyPage } from './begin-visit.ts';
import { acceptDialogs, launchBrowser, newVisitor } from './browser.ts';
import { recordFor } from './practice-session.ts';
import { interviewSet } from './recorded-session.ts';

let browser: Browser;
let address: string;
let context: BrowserContext;
let page: Page;

/** Matches only the completion of an upload, so that its parts still arrive. */
const uploads = '**/api/uploads/*/complete';

beforeAll(async () => {
  browser = await launchBrowser();
  context = await newVisitor(browser);
  address = `/interview/${(await interviewSet('candidate', 'JavaScript Warm-up'))._id}`;
});
afterAll(() => browser.close());

beforeEach(async () => {
  page = await beginVisit(context, 'candidate');
});

const advance = () => page.getByRole('button', { name: /^(Next Question|Complete Interview)$/ });

/** Two seconds of the fake microphone's beeps make an answer of well over a thousand bytes. */
async function recordSomething(question: number): Promise<void> {
  await page.getByText(`Question ${question} of 2`).waitFor();
  await recordFor(page, 2);
}

async function begin(): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: 'Start now' }).click();
}

/** The recordings that the server has saved for this page, updated live. */
function savedRecordings(): { sessionId: string; questionId: number }[] {
  const saved: { sessionId: string; questionId: number }[] = [];
  const keep = ({ recording }: { recording: (typeof saved)[number] }) => saved.push(recording);
  page.on('response', (response: Response) => {
    if (!response.url().endsWith('/complete') || response.status() >= 300) return;
    // If the page is gone by then there is nothing to report; a test that expects the answer will notice.
    response.json().then(keep, () => undefined);
  });
  return saved;
}

test('a failed upload stays on the question and can be sent again without speaking again; a reload keeps it and the session', async () => {
  const saved = savedRecordings();
  const asked = acceptDialogs(page);
  await page.route(uploads, (route) => route.abort());
  await begin();
  await recordSomething(1);
  await advance().click();
  await page.getByText('Failed to save recording. Please try again.').waitFor();
  await page.getByText(/is kept on this device/).waitFor();
  await expect.poll(() => page.getByText('Question 1 of 2').isVisible()).toBe(true);
  await page.getByText('Saved on this device. Select Next Question to retry.').waitFor();
  await page.unroute(uploads);
  await page.getByRole('button', { name: 'Next Question' }).click();
  await page.getByText('Recording saved successfully').waitFor();
  await recordSomething(2);
  await page.route(uploads, (route) => route.abort());
  await advance().click();
  await page.getByText(/is kept on this device/).waitFor();
  await page.reload();
  expect(asked).toEqual(['beforeunload']);
  await page.unroute(uploads);
  await page.getByRole('heading', { name: 'Unsent answer' }).waitFor();
  await page.getByText('Question 2', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send it' }).click();
  await page.getByText('Interview completed successfully').waitFor();
  await expect.poll(() => saved.map(({ questionId }) => questionId)).toEqual([0, 1]);
  expect(new Set(saved.map(({ sessionId }) => sessionId)).size).toBe(1);
});

test('a tab that crashes while recording leaves its draft for the next visit, but not for another tab while it lives', async () => {
  await begin();
  await recordSomething(1);
  const other = await context.newPage();
  await other.goto(address);
  await other.getByRole('heading', { name: 'Check your microphone' }).waitFor();
  await other.goto(emptyPage);
  await page.close({ runBeforeUnload: false });
  page = other;
  // The browser releases a closed tab's lock a moment later.
  const held = () => page.evaluate(async () => (await navigator.locks.query()).held?.length);
  await expect.poll(held).toBe(0);
  const saved = savedRecordings();
  await page.goto(address);
  await page.getByRole('heading', { name: 'Unsent answer' }).waitFor();
  await page.getByRole('button', { name: 'Send it' }).click();
  await page.getByText('Recording saved successfully').waitFor();
  await page.getByRole('heading', { name: 'Check your microphone' }).waitFor();
  await expect.poll(() => saved).toHaveLength(1);
});

test('an answer that release 0.1.0 stored as a Blob is still offered', async () => {
  // Without its key, an answer is stored in clear, as in older releases.
  await page.route('**/api/auth/draft-key', (route) => route.abort());
  await begin();
  await recordSomething(1);
  await page.close({ runBeforeUnload: false });
  page = await context.newPage();
  await page.goto(emptyPage);
  await page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await done(indexedDB.open('interview-answers'));
    const store = database.transaction('chunks', 'readwrite').objectStore('chunks');
    for (const { bytes, ...chunk } of await done<{ bytes: ArrayBuffer }[]>(store.getAll()))
      await done(store.put({ ...chunk, blob: new Blob([bytes]) }));
    database.close();
  });
  const saved = savedRecordings();
  await page.goto(address);
  await page.getByRole('heading', { name: 'Unsent answer' }).waitFor();
  expect(await page.getByText(/only this tab has it/).count()).toBe(0);
  await page.getByRole('button', { name: 'Send it' }).click();
  await expect.poll(() => saved).toHaveLength(1);
});
