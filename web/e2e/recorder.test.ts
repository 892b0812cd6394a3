import type { Browser, BrowserContext, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { beginVisit, emptyPage } from './begin-visit.ts';
import { acceptDialogs, launchBrowser, newVisitor, signedIn, signInByHand } from './browser.ts';
import { recordFor } from './practice-session.ts';
import { interviewSet } from './recorded-session.ts';

let browser: Browser;
let address: string;
let context: BrowserContext;
let page: Page;

const uploads = '**/api/interviews/recordings';

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

/** Two seconds of the fake microphone's beeps are an answer of well over a thousand bytes. */
async function recordSomething(question: number): Promise<void> {
  await page.getByText(`Question ${question} of 2`).waitFor();
  await recordFor(page, 2);
}

async function begin(): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: 'Start now' }).click();
}

/** What the server answers to the uploads of this page, as they come. */
function savedRecordings(): { sessionId: string; questionId: number }[] {
  const saved: { sessionId: string; questionId: number }[] = [];
  const keep = ({ recording }: { recording: (typeof saved)[number] }) => saved.push(recording);
  page.on('response', (response: Response) => {
    if (!response.url().endsWith('/api/interviews/recordings') || response.status() >= 300) return;
    // A page that is gone by then has nothing to report; who expects an answer misses it.
    response.json().then(keep, () => undefined);
  });
  return saved;
}

test('the first question comes by itself, and is recorded at once; Enter goes on, a double click sends one answer', async () => {
  const saved = savedRecordings();
  await page.goto('/?category=javascript');
  await page.getByRole('link', { name: 'Take Interview: JavaScript Warm-up' }).click();
  await page.getByRole('heading', { name: 'Check your microphone' }).waitFor();
  await recordSomething(1);
  await page.keyboard.press('Enter');
  await recordSomething(2);
  await advance().dblclick();
  await page.getByText('Interview completed successfully').waitFor();
  await page.waitForURL('**/interviews');
  await expect.poll(() => saved.map(({ questionId }) => questionId)).toEqual([0, 1]);
  expect(new Set(saved.map(({ sessionId }) => sessionId)).size).toBe(1);
  // Back leads to where one came from.
  await page.goBack();
  await page.waitForURL('**/?category=javascript');
  await page.getByRole('heading', { name: 'Interview Sets' }).waitFor();
});

test('a failed upload stays on the question, and is sent again without speaking again; a reload loses neither it nor the session', async () => {
  const saved = savedRecordings();
  const asked = acceptDialogs(page);
  await page.route(uploads, (route) => route.abort());
  await begin();
  await recordSomething(1);
  await advance().click();
  await page.getByText('Failed to save recording. Please try again.').waitFor();
  await page.getByText(/is kept on this device/).waitFor();
  await expect.poll(() => page.getByText('Question 1 of 2').isVisible()).toBe(true);
  await page.getByText("Your answer is kept: 'Next Question' sends it again.").waitFor();
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
  await page.getByRole('heading', { name: 'Not sent yet' }).waitFor();
  await page.getByText('Question 2', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Interview completed successfully').waitFor();
  await expect.poll(() => saved.map(({ questionId }) => questionId)).toEqual([0, 1]);
  expect(new Set(saved.map(({ sessionId }) => sessionId)).size).toBe(1);
});

test('a tab that dies while recording leaves what was said for the next visit, but not for another tab while it lives', async () => {
  await begin();
  await recordSomething(1);
  const other = await context.newPage();
  await other.goto(address);
  await other.getByRole('heading', { name: 'Check your microphone' }).waitFor();
  await other.goto(emptyPage);
  await page.close({ runBeforeUnload: false });
  page = other;
  const saved = savedRecordings();
  await page.goto(address);
  await page.getByRole('heading', { name: 'Not sent yet' }).waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Recording saved successfully').waitFor();
  await page.getByRole('heading', { name: 'Check your microphone' }).waitFor();
  await expect.poll(() => saved).toHaveLength(1);
});

test('an answer that release 0.1.0 stored as a Blob is still offered', async () => {
  // Without its key an answer is stored in clear, as it was then.
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
  await page.getByRole('heading', { name: 'Not sent yet' }).waitFor();
  expect(await page.getByText(/only this tab has it/).count()).toBe(0);
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => saved).toHaveLength(1);
});

test('one may wait before the first question; leaving asks first, and what was recorded may be discarded on return', async () => {
  await page.goto('/?category=javascript');
  await page.getByRole('link', { name: 'Take Interview: JavaScript Warm-up' }).click();
  await page.getByRole('button', { name: 'Wait' }).click();
  await page.getByText('Take your time.').waitFor();
  await page.getByRole('button', { name: 'Start now' }).click();
  await recordSomething(1);
  await page.getByRole('link', { name: 'Leave' }).click();
  await page.getByRole('button', { name: 'Keep going' }).click();
  await page.getByText('Recording in progress...').waitFor();
  await page.goBack();
  await page.getByText(/stays on this device. Come back to this set to send it/).waitFor();
  await page.getByRole('button', { name: 'Leave the interview' }).click();
  await page.getByRole('link', { name: 'Take Interview: JavaScript Warm-up' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: 'Check your microphone' }).waitFor();
});

test('a database that refuses once: no gap in what it has, and the tab has it all', async () => {
  onTestFinished(() => page.close());
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put;
    let pieces = 0;
    IDBObjectStore.prototype.put = function (...args) {
      if (this.name === 'chunks') pieces += 1;
      if (this.name === 'chunks' && pieces === 2) throw new DOMException('The disk is full', 'QuotaExceededError');
      return put.apply(this, args);
    };
  });
  await page.goto('/?category=javascript');
  await page.getByRole('link', { name: 'Take Interview: JavaScript Warm-up' }).click();
  await page.getByRole('button', { name: 'Start now' }).click();
  await recordFor(page, 4);
  await page.getByRole('link', { name: 'Leave' }).click();
  await page.getByText(/is in this tab only/).waitFor();
  await page.getByRole('button', { name: 'Leave the interview' }).click();
  await page.getByRole('link', { name: 'Take Interview: JavaScript Warm-up' }).click();
  await page.getByRole('heading', { name: 'Not sent yet' }).waitFor();

  const storedBytes = await page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await done(indexedDB.open('interview-answers'));
    const chunks = await done<{ encrypted: unknown }[]>(database.transaction('chunks').objectStore('chunks').getAll());
    database.close();
    // Bytes, since WebKit stores no Blob in a private window.
    return chunks.map(({ encrypted }) => (encrypted instanceof ArrayBuffer ? encrypted.byteLength : 0));
  });
  expect(storedBytes).toHaveLength(1);
  const upload = page.waitForRequest(uploads);
  await page.getByRole('button', { name: 'Send' }).click();
  expect(Number((await (await upload).allHeaders())['content-length'])).toBeGreaterThan(3 * (storedBytes[0] ?? 0));
  await page.getByText('Question 2 of 2').waitFor();
});

test('a session that ends meanwhile asks for the login, says that the answer is kept, and offers it afterwards', async () => {
  await page.route(uploads, (route) =>
    route.fulfill({ status: 401, json: { message: 'You have been signed out', code: 'unauthorized' } }),
  );
  await begin();
  await recordSomething(1);
  await advance().click();
  await page.getByRole('heading', { name: 'Interview Platform Login' }).waitFor();
  await page.getByText(/^You have been signed out. What you recorded is kept/).waitFor();
  await page.unroute(uploads);
  await signInByHand(page, 'candidate', { stay: true });
  await page.getByRole('heading', { name: 'Not sent yet' }).waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Question 2 of 2').waitFor();
});

test('at an insecure address the page says that recording needs a secure one', async () => {
  const insecure = 'http://another-machine.test';
  // Signed in at this address too.
  const own = await newVisitor(browser);
  onTestFinished(() => own.close());
  await signedIn(own, 'candidate');
  const visited = await own.newPage();
  await visited.route(`${insecure}/**`, async (route) => {
    const url = route.request().url().replace(insecure, inject('productUrl'));
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await visited.goto(`${insecure}${address}`);
  await visited.getByText('Recording needs a secure address').waitFor();
  expect(await visited.evaluate(() => isSecureContext)).toBe(false);
});
