import { stat } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acceptDialogs, launchBrowser, newDeveloper, newVisitor, signInByHand, watchForErrors } from './browser.ts';
import { interviewSet } from './recorded-session.ts';
import { type Speech, speak } from './speech.ts';

/** A good answer to the first question of the set, and a wrong one to the second, wherever in it that begins. */
const spoken =
  'A function gives a name to a group of instructions. We write the instructions once, and we can use them many times. ' +
  'Functions help us because we do not have to repeat the same instructions in different places. Each function should ' +
  'have only one purpose, and the name should describe it. Small functions are easy to understand and easy to change.';

let speech: Speech;
let browser: Browser;

beforeAll(async () => {
  speech = await speak(spoken);
  browser = await launchBrowser({ speech: speech.path });
});
afterAll(async () => {
  await browser.close();
  await speech.remove();
});

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Lets the microphone speak for this long, by the recorder's own timer. */
async function answer(page: Page, question: number, seconds: number, button: string): Promise<void> {
  await page.getByText(`Question ${question} of 2`).waitFor();
  await page.getByText('Recording in progress...').waitFor();
  await page.getByRole('timer').getByText(clock(seconds)).waitFor({ timeout: 120_000 });
  await page.getByRole('button', { name: button }).click();
}

/** The word and the percentage of an answer, once it has been judged. */
async function verdict(answered: Locator): Promise<{ word: string; percentage: number }> {
  // The speech engine shares two cores with the browsers of other tests.
  await answered.getByText(/^(Correct|Partly|Incorrect)$/).waitFor({ timeout: 300_000 });
  const [, word = '', percentage = ''] =
    /(Correct|Partly|Incorrect)\s*(\d+) %/.exec((await answered.textContent()) ?? '') ?? [];
  return { word, percentage: Number(percentage) };
}

test('a spoken interview of two questions comes back transcribed and judged, by itself, and can be played', async () => {
  const context = await newVisitor(browser);
  const page = await context.newPage();
  const expectNoErrors = watchForErrors(page);

  await signInByHand(page, await newDeveloper());
  await page.getByRole('button', { name: /^JavaScript/ }).click();
  await page.getByRole('link', { name: 'Take Interview: JavaScript Warm-up' }).click();
  await page.getByRole('button', { name: 'Start now' }).click();
  await answer(page, 1, speech.seconds + 2, 'Next Question');
  await page.getByText('Recording saved successfully').waitFor();
  await answer(page, 2, speech.seconds / 2, 'Complete Interview');
  await page.getByText('Interview completed successfully').waitFor();
  await page.waitForURL('**/interviews');

  // The summary of what was just finished stands above the history.
  await page.getByRole('region', { name: 'The interview you finished' }).waitFor();

  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page
    .getByRole('link', { name: /JavaScript Warm-up/ })
    .first()
    .click();
  await page.getByRole('heading', { name: 'JavaScript Warm-up' }).waitFor();
  const first = page.getByRole('article', { name: 'Question 1', exact: true });
  const second = page.getByRole('article', { name: 'Question 2', exact: true });

  const good = await verdict(first);
  const wrong = await verdict(second);
  expect(good.word).toBe('Correct');
  expect(good.percentage).toBeGreaterThan(60);
  expect(['Partly', 'Incorrect']).toContain(wrong.word);
  expect(wrong.percentage).toBeLessThan(good.percentage - 20);
  await expect.poll(() => first.textContent()).toMatch(/instructions/);
  // Whatever part of the speech it has.
  await expect.poll(() => second.textContent()).toMatch(/function/i);
  expect(loads).toBe(0);

  const audio = first.locator('audio');
  await first.getByRole('button', { name: /^Play/ }).click();
  await expect.poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime)).toBeGreaterThan(0);
  const duration = await audio.evaluate((element: HTMLAudioElement) => element.duration);
  expect(duration).toBeGreaterThan(speech.seconds);
  await first.getByRole('slider').press('End');
  await expect
    .poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime))
    .toBeGreaterThan(duration - 2);
  await first.getByRole('slider').press('Home');
  await expect
    .poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime))
    .toBeLessThan(duration / 2);

  const summary = page.getByRole('region', { name: 'Summary' });
  const again = summary.getByRole('link', { name: /^(Answer 1 question again|Practise)/ });
  await again.waitFor();
  await page.evaluate(() => window.scrollTo(0, 0));
  const box = await again.boundingBox();
  expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).toBeLessThan(900);
  // A quote of the first answer, which goes on after it.
  const well = summary.locator('section').filter({ has: page.getByRole('heading', { name: 'What went well' }) });
  const quote = well.getByRole('button', { name: /^Play from/ }).first();
  await quote.click();
  const moment = well.locator('audio').first();
  await expect.poll(() => moment.evaluate((element: HTMLAudioElement) => element.currentTime)).toBeGreaterThan(0);
  await expect
    .poll(() => moment.evaluate((element: HTMLAudioElement) => element.paused), { timeout: 40_000 })
    .toBe(true);
  expect(await moment.evaluate((element: HTMLAudioElement) => element.ended)).toBe(false);

  const set = await interviewSet('dev', 'JavaScript Warm-up');
  await page.goto(`/interview/${set._id}?questions=2`);
  await page.getByRole('button', { name: 'Start now' }).click();
  await page.getByText('Question 1 of 1').waitFor();
  await page.getByRole('heading', { name: set.questions[1] ?? '' }).waitFor();

  acceptDialogs(page);
  await page.goto('/profile');
  const [data] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ]);
  expect(data.suggestedFilename()).toMatch(/^interview-data-[\d-]+\.zip$/);
  expect((await stat(await data.path())).size).toBeGreaterThan(10_000);

  await page.goto('/');
  const card = page.getByRole('listitem').filter({ hasText: 'JavaScript Warm-up' });
  await card.getByText(/Last taken (just now|\d+ minutes? ago), \d+ %/).waitFor();
  expectNoErrors();
  await context.close();
}, 480_000);
