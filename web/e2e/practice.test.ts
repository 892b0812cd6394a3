import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { beginVisit } from './begin-visit.ts';
import {
  type Account,
  acceptDialogs,
  atRest,
  expectAccessible,
  launchBrowser,
  newDeveloper,
  newVisitor,
  signedIn,
  viewports,
  watchForErrors,
} from './browser.ts';
import { speak } from './speech.ts';

const setTitle = 'JavaScript Essentials: Practice Round';
const uploads = '**/api/practice/recordings';

/** Its microphone beeps: nothing for the speech engine. */
let browser: Browser;
let account: Account;
/** Most tests visit one after another here. */
let context: BrowserContext;

beforeAll(async () => {
  [browser, account] = await Promise.all([launchBrowser(), newDeveloper()]);
  context = await newVisitor(browser);
});
afterAll(() => browser.close());

const visit = () => beginVisit(context, account);

/** A visit in a context of its own, for the time of the test. */
async function visitWith(options: Parameters<typeof newVisitor>[1], by = browser): Promise<Page> {
  const own = await newVisitor(by, options);
  onTestFinished(() => own.close());
  await signedIn(own, account);
  return own.newPage();
}

let denying: Promise<Browser> | undefined;
afterAll(async () => (await denying)?.close());

/** The same in a browser that denies what the context does not permit. */
async function visitDenied(options: Parameters<typeof newVisitor>[1]): Promise<Page> {
  denying ??= launchBrowser({ canDenyMedia: true });
  return visitWith(options, await denying);
}

async function openSession(page: Page): Promise<void> {
  await page.goto('/practice');
  await page.getByRole('link', { name: `Practice Interview: ${setTitle}` }).click();
  await page.getByText('Question 1 of 5').waitFor();
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** At least some seconds by the recorder's own timer. */
async function recordFor(page: Page, seconds: number): Promise<void> {
  await page.getByText('Recording in progress...').waitFor();
  const timer = page.getByRole('timer', { name: 'Recording time' });
  const recorded = async () => Number(/0:(\d\d)/.exec((await timer.textContent()) ?? '')?.[1]);
  await expect.poll(recorded, { timeout: 60_000, interval: 100 }).toBeGreaterThanOrEqual(seconds);
}

/** The stream that is being recorded, as the preview shows it. */
const streamOf = (page: Page) =>
  page.getByLabel('Camera preview').evaluateHandle((video: HTMLVideoElement) => video.srcObject as MediaStream);

/** What of the answer is typed. */
const prompted = async (page: Page): Promise<string> =>
  (await page.getByRole('region', { name: 'Suggested answer' }).locator('[aria-hidden]').textContent()) ?? '';

test('a session before the camera comes back in the practice history, and its video plays', async () => {
  const speech = await speak('The map method makes a new list from every item of the old list.');
  onTestFinished(speech.remove);
  const speaking = await launchBrowser({ speech: speech.path });
  onTestFinished(() => speaking.close());
  const page = await visitWith({ reducedMotion: 'no-preference' }, speaking);
  const expectNoErrors = watchForErrors(page);
  await openSession(page);
  const preview = page.getByLabel('Camera preview');
  await expect.poll(() => preview.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0);
  expect(await preview.evaluate((video) => getComputedStyle(video).transform)).toMatch(/^matrix\(-1, 0/);
  expect(await prompted(page)).toBe('');

  await press(page, 'Start Recording');
  await recordFor(page, 3);
  const typed = await prompted(page);
  expect(typed).not.toBe('');
  await expect.poll(async () => (await prompted(page)).length).toBeGreaterThan(typed.length);
  await recordFor(page, 6);

  // Nothing more for the speech engine.
  await (await streamOf(page)).evaluate((stream) => {
    for (const track of stream.getAudioTracks()) track.enabled = false;
  });
  const upload = page.waitForRequest(uploads);
  await press(page, 'Next Question');
  expect((await upload).headers()['content-type']).toMatch(/^multipart\/form-data/);
  await page.getByText('Recording saved successfully').waitFor();
  await page.getByText('Question 2 of 5').waitFor();
  await page.getByText("We can't hear you.").waitFor();
  await press(page, 'Finish Practice');
  await press(page, 'Finish now');
  await press(page, 'Send as it is');
  // What turns until the transcript is there costs a fifth of a processor.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.getByText('You have completed the practice session!').waitFor();
  await page.waitForURL('**/practiceInterviews');

  await page
    .getByRole('link', { name: new RegExp(setTitle) })
    .first()
    .click();
  const first = page.getByRole('article', { name: 'Question 1', exact: true });
  const video = first.locator('video');
  await first.getByRole('button', { name: /^Play/ }).click();
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0);
  expect(await video.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBeGreaterThan(0);
  const transcript = first.getByLabel(/^Transcription of/);
  await transcript.waitFor({ timeout: 180_000 });
  await expect.poll(() => transcript.textContent()).toMatch(/\b(new|list|every|old)\b/);
  await page.getByRole('article', { name: 'Question 2', exact: true }).waitFor();
  expectNoErrors();
});

test('on a phone: a failed upload is kept through a reload, and sent without speaking again', async () => {
  const page = await visit();
  await page.setViewportSize(viewports.phone);
  const asked = acceptDialogs(page);
  await openSession(page);
  await press(page, 'Start Recording');
  await recordFor(page, 2);
  await page.route(uploads, (route) => route.abort());
  await press(page, 'Next Question');
  await page.getByText(/is kept on this device/).waitFor();
  await expect.poll(() => page.getByText('Question 1 of 5').isVisible()).toBe(true);
  await page.reload();
  expect(asked).toEqual(['beforeunload']);
  await page.unroute(uploads);
  await page.getByRole('heading', { name: 'Not sent yet' }).waitFor();
  await press(page, 'Send');
  await page.getByText('Recording saved successfully').waitFor();
  await page.getByText('Question 2 of 5').waitFor();
  await recordFor(page, 1);
  await press(page, 'Finish Practice');
  await press(page, 'Finish now');
  await page.waitForURL('**/practiceInterviews');
});

test('leaving asks; who leaves gives the camera back', async () => {
  const page = await visit();
  await openSession(page);
  await press(page, 'Start Recording');
  await recordFor(page, 1);
  const track = await page
    .getByLabel('Camera preview')
    .evaluateHandle((video: HTMLVideoElement) => (video.srcObject as MediaStream).getVideoTracks()[0]);
  await page.goBack();
  await press(page, 'Keep going');
  await recordFor(page, 2);
  await page.goBack();
  await press(page, 'Leave the session');
  await page.getByRole('heading', { name: 'Practice Interview' }).waitFor();
  expect(await track.evaluate((given) => given?.readyState)).toBe('ended');
});

test('a microphone that is unplugged while one speaks ends the recording; what was said can be sent', async () => {
  const page = await visit();
  await openSession(page);
  await press(page, 'Start Recording');
  await recordFor(page, 2);
  await (await streamOf(page)).evaluate((stream) => {
    const [sound] = stream.getAudioTracks();
    // A page gets no event for a track that it stops itself, but one for a device that is unplugged.
    sound?.stop();
    sound?.dispatchEvent(new Event('ended'));
  });
  await page.getByText('The microphone was disconnected. Your answer up to that point is kept.').waitFor();
  await press(page, 'Send again');
  await page.getByText('Recording saved successfully').waitFor();
  await page.getByText('The microphone was disconnected').waitFor();
  await press(page, 'Try again');
  await page.getByText('Question 2 of 5').waitFor();
  await recordFor(page, 1);
});

test('a recorder that breaks while one speaks: what was said can be sent', async () => {
  const page = await visit();
  await openSession(page);
  await press(page, 'Start Recording');
  await recordFor(page, 2);
  // A recorder ends with an error when its stream gets another track.
  await (await streamOf(page)).evaluate((stream) => {
    const another = new AudioContext().createMediaStreamDestination().stream.getAudioTracks()[0];
    if (another) stream.addTrack(another);
  });
  await page.getByText('The browser stopped recording. Your answer up to that point is kept.').waitFor();
  await press(page, 'Send again');
  await page.getByText('Recording saved successfully').waitFor();
  await page.getByText('Question 2 of 5').waitFor();
});

test('Back after a finished session leads to where one came from', async () => {
  const page = await visit();
  await openSession(page);
  await press(page, 'Start Recording');
  await recordFor(page, 1);
  await press(page, 'Finish Practice');
  await press(page, 'Finish now');
  await page.waitForURL('**/practiceInterviews');
  await page.goBack();
  await page.waitForURL('**/practice');
  await page.getByRole('link', { name: `Practice Interview: ${setTitle}` }).waitFor();
});

test('camera and microphone blocked: the page says what to do; once they are allowed one can start', async () => {
  const page = await visitDenied({ mediaDenied: true });
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
  const page = await visitDenied({ permissions: ['microphone'] });
  await openSession(page);
  await page.getByText('Only your voice is recorded').waitFor();
  await press(page, 'Start Recording');
  await recordFor(page, 2);
  await press(page, 'Finish Practice');
  await press(page, 'Finish now');
  await page.waitForURL('**/practiceInterviews');
  await page
    .getByRole('link', { name: new RegExp(setTitle) })
    .first()
    .click();
  await page.getByRole('article', { name: 'Question 1', exact: true }).locator('audio').waitFor({ state: 'attached' });
});

test('who wants no motion has the answer at once; at a zoom of 200 % question and answer are in view', async () => {
  const page = await visitWith({ reducedMotion: 'reduce' });
  await openSession(page);
  await press(page, 'Start Recording');
  await recordFor(page, 0);
  await expect.poll(() => prompted(page)).toMatch(/\.$/);

  const { width, height } = viewports.desktop;
  await page.setViewportSize({ width: width / 2, height: height / 2 });
  await atRest(page);
  const question = page.getByRole('heading', { level: 1 });
  const answer = page.getByRole('region', { name: 'Suggested answer' });
  const controls = await page.getByRole('button', { name: 'Next Question' }).boundingBox();
  for (const part of [question, answer]) {
    const box = await part.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    // A line of the answer at least; the rest scrolls.
    expect((box?.y ?? Infinity) + Math.min(box?.height ?? 0, 48)).toBeLessThanOrEqual(controls?.y ?? 0);
  }
});
