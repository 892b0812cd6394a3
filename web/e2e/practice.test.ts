import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginVisit } from './begin-visit.ts';
import { type Account, atRest, launchBrowser, newDeveloper, newVisitor, viewports } from './browser.ts';
import { openSession, press, prompted, recordFor, streamOf } from './practice-session.ts';

/** Its microphone beeps, so the speech engine has nothing to do. */
let browser: Browser;
let account: Account;
/** Most tests take turns with this page. */
let context: BrowserContext;

beforeAll(async () => {
  [browser, account] = await Promise.all([launchBrowser(), newDeveloper()]);
  context = await newVisitor(browser);
});
afterAll(() => browser.close());

const visit = () => beginVisit(context, account);

test('leaving asks for confirmation, and releases the camera', async () => {
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

test('a microphone unplugged, or a recorder that fails, during an answer: what was said can be sent', async () => {
  const page = await visit();
  await openSession(page);
  await press(page, 'Start Recording');
  await recordFor(page, 2);
  await (await streamOf(page)).evaluate((stream) => {
    const [sound] = stream.getAudioTracks();
    // A track that the page stops itself fires no event; an unplugged device does.
    sound?.stop();
    sound?.dispatchEvent(new Event('ended'));
  });
  await page.getByText('The microphone was disconnected. Your answer up to that point is kept.').waitFor();
  await press(page, 'Send again');
  await page.getByText('Recording saved successfully').waitFor();
  await page.getByText('The microphone was disconnected').waitFor();
  await press(page, 'Try again');
  await page.getByText('Question 2 of 5').waitFor();

  await recordFor(page, 2);
  // A recorder fails when its stream gets another track.
  await (await streamOf(page)).evaluate((stream) => {
    const another = new AudioContext().createMediaStreamDestination().stream.getAudioTracks()[0];
    if (another) stream.addTrack(another);
  });
  await page.getByText('The browser stopped recording. Your answer up to that point is kept.').waitFor();
  await press(page, 'Send again');
  await page.getByText('Question 3 of 5').waitFor();
});

test('with reduced motion the answer appears at once; at 200% zoom question and answer are in view', async () => {
  const page = await visit();
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
    // At least one line of the answer; the rest scrolls.
    expect((box?.y ?? Infinity) + Math.min(box?.height ?? 0, 48)).toBeLessThanOrEqual(controls?.y ?? 0);
  }
});
