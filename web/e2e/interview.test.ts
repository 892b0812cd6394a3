import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { InterviewDetail, InterviewItem, QuestionTakes } from '@interview-prep/contracts/history/history';
import type { Progress, ReviewQuestion } from '@interview-prep/contracts/history/progress';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type Account,
  acceptDialogs,
  goWithoutLoading,
  launchBrowser,
  newDeveloper,
  newVisitor,
  signedIn,
  signInByHand,
  watchForErrors,
} from './browser.ts';
import { openSession, practiceTitle, press, prompted, recordFor, streamOf } from './practice-session.ts';
import { askAs, newInterviewSet, recordedSession, type SetHead } from './recorded-session.ts';
import { type Speech, speak, tone } from './speech.ts';

/** A good answer to the set's first question and a wrong one to the second, wherever playback starts. Short, as it takes its time. */
const spoken =
  'A function gives a name to a group of instructions. We write the instructions once, and we can use them many times. ' +
  'Functions help us because we do not have to repeat the same instructions in different places.';
const title = `Functions and Lists ${randomUUID().slice(0, 8)}`;
const questions = ['Why do we write functions?', 'How does an object differ from a list?'];
const expertAnswers = [
  spoken,
  'Lists keep their values in order, and the position of a value is a number. An object has properties, and every property has a name.',
];

let speech: Speech;
let unspoken: Speech;
let browser: Browser;

beforeAll(async () => {
  [speech, unspoken] = await Promise.all([speak(spoken), tone()]);
  browser = await launchBrowser({ speech: speech.path });
});
afterAll(async () => {
  await browser.close();
  await Promise.all([speech.remove(), unspoken.remove()]);
});

/** Lets the microphone speak for this long, by the recorder's timer. */
async function answer(page: Page, question: number, seconds: number, button: string): Promise<void> {
  await page.getByText(`Question ${question} of 2`).waitFor();
  await recordFor(page, seconds);
  await press(page, button);
}

/** The verdict and percentage of a judged answer. */
async function verdict(answered: Locator): Promise<{ word: string; percentage: number }> {
  await answered.getByText(/^(Correct|Partially correct|Incorrect)$/).waitFor();
  const [, word = '', percentage = ''] =
    /(Correct|Partially correct|Incorrect)\s*·\s*(\d+)%/.exec((await answered.textContent()) ?? '') ?? [];
  return { word, percentage: Number(percentage) };
}

/** A user who has taken two interviews of one set, and the page where they just saw the verdict on the second. */
interface Taken {
  candidate: Account;
  set: SetHead;
  page: Page;
  average: number;
}

/** Takes a silent interview through the API, and then one in the browser, which is judged. */
async function takeInterviews(): Promise<Taken> {
  const candidate = await newDeveloper();
  const set = await newInterviewSet({ title, technology: 'javascript', tags: [], questions, expertAnswers });
  await recordedSession(candidate, set, unspoken.path, { askedQuestions: [0] });

  const page = await (await newVisitor(browser)).newPage();
  acceptDialogs(page);
  const expectNoErrors = watchForErrors(page);
  await signInByHand(page, candidate);
  await page.getByRole('button', { name: /^JavaScript/ }).click();
  await page.getByLabel('Search interview sets').fill(title);
  await page.getByRole('link', { name: `Take Interview: ${title}` }).click();
  await page.getByRole('button', { name: 'Start now' }).click();
  await answer(page, 1, speech.seconds + 2, 'Next Question');
  await page.getByText('Recording saved successfully').waitFor();
  await answer(page, 2, speech.seconds / 2, 'Complete Interview');
  await page.getByText('Interview completed successfully').waitFor();
  await page.waitForURL('**/interviews');

  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  // The summary of the interview just finished is above the history.
  const summary = page.getByRole('region', { name: 'The interview you finished' });
  // The speech engine shares two cores with the browsers of other tests.
  await summary.getByText('average of 2 questions').waitFor({ timeout: 300_000 });
  expect(loads).toBe(0);
  const average = Number.parseInt(
    (await summary
      .getByText(/^\d+%$/)
      .first()
      .textContent()) ?? '',
    10,
  );
  expectNoErrors();
  return { candidate, set, page, average };
}

let taking: Promise<Taken> | undefined;

/** The interviews that these tests examine: taken by the first test, and retaken if that failed. */
function taken(): Promise<Taken> {
  taking ??= takeInterviews().catch((error: unknown) => {
    taking = undefined;
    throw error;
  });
  return taking;
}

/** The set's card on the first screen, which other tests may have moved to another page of the list. */
async function findCard(page: Page) {
  await page.getByLabel('Search interview sets').fill(title);
  return page.getByRole('listitem').filter({ hasText: title });
}

test('a spoken interview of two questions is transcribed and judged, appears without a reload, and can be played', async () => {
  const { page, set, average } = await taken();
  const expectNoErrors = watchForErrors(page);
  await page.goto('/interviews');
  await page.getByRole('link', { name: title }).first().click();
  await page.getByRole('heading', { name: title }).waitFor();
  const first = page.getByRole('article', { name: 'Question 1', exact: true });
  const second = page.getByRole('article', { name: 'Question 2', exact: true });

  const good = await verdict(first);
  const wrong = await verdict(second);
  expect(good.word).toBe('Correct');
  expect(good.percentage).toBeGreaterThan(60);
  expect(['Partially correct', 'Incorrect']).toContain(wrong.word);
  expect(wrong.percentage).toBeLessThan(good.percentage - 20);
  expect(average).toBe(Math.round((good.percentage + wrong.percentage) / 2));
  await expect.poll(() => first.textContent()).toMatch(/instructions/);
  // Whatever part of the speech it got.
  await expect.poll(() => second.textContent()).toMatch(/function/i);

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
  const again = summary.getByRole('link', { name: /^(Answer 1 question again|Practice)/ });
  await again.waitFor();
  await page.evaluate(() => window.scrollTo(0, 0));
  const box = await again.boundingBox();
  expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).toBeLessThan(900);
  // A quote of the first answer, which continues after it.
  await first
    .getByRole('button', { name: /^Covered/ })
    .first()
    .click();
  const quote = first.getByRole('button', { name: /, play from / }).first();
  const said = (await quote.textContent()) ?? '';
  await quote.click();
  await expect.poll(() => audio.evaluate((element: HTMLAudioElement) => element.paused)).toBe(false);
  await expect
    .poll(() => audio.evaluate((element: HTMLAudioElement) => element.paused), { timeout: 40_000 })
    .toBe(true);
  // It stops at the end of the quote; more than one word is spoken per second.
  const [, quoted = '', minutes, seconds] = /^(.+), play from (\d+):(\d+)$/.exec(said) ?? [];
  const startsAt = Number(minutes) * 60 + Number(seconds);
  const stoppedAt = await audio.evaluate((element: HTMLAudioElement) => element.currentTime);
  expect(stoppedAt).toBeLessThan(startsAt + 2 + quoted.split(' ').length);

  await goWithoutLoading(page, `/interview/${set._id}?questions=2`);
  await page.getByRole('button', { name: 'Start now' }).click();
  await page.getByText('Question 1 of 1').waitFor();
  await page.getByRole('heading', { name: set.questions[1] ?? '' }).waitFor();

  await page.goto('/profile');
  const [data] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ]);
  expect(data.suggestedFilename()).toMatch(/^interview-data-[\d-]+\.zip$/);
  expect((await stat(await data.path())).size).toBeGreaterThan(10_000);

  await goWithoutLoading(page, '/');
  const card = await findCard(page);
  await card.getByText(/Last taken (just now|\d+ minutes? ago), \d+%/).waitFor();
  expectNoErrors();
}, 480_000);

test('every screen shows the same numbers for a spoken answer as the API', async () => {
  const { candidate, page } = await taken();
  const expectNoErrors = watchForErrors(page);
  const [item] = (await askAs<{ recordings: InterviewItem[] }>(candidate, '/api/interviews/history')).recordings;
  const detail = await askAs<InterviewDetail>(candidate, `/api/interviews/${item?._id}`);
  const [answer] = detail.recordings;
  const { takes } = await askAs<QuestionTakes>(candidate, `/api/interviews/${item?._id}/questions/0/takes`);
  const { technologies, latest } = await askAs<Progress>(candidate, '/api/progress');
  if (!answer || answer.durationMs === null || !item) throw new Error('There is no spoken answer');
  const seconds = Math.round(answer.durationMs / 1000);
  const length = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const pace = `${answer.delivery?.wordsPerMinute}`;
  const score = answer.correctnessPercentage ?? -1;
  const points = answer.assessment.points ?? [];
  const average = Math.round(
    detail.recordings.reduce((sum, each) => sum + (each.correctnessPercentage ?? 0), 0) / detail.recordings.length,
  );

  // The API's routes agree with each other, and a verdict is consistent.
  const { durationMs, delivery, isCorrect, correctnessPercentage, assessment } = takes.at(-1) ?? {};
  expect({ durationMs, delivery, isCorrect, correctnessPercentage, points: assessment?.points }).toEqual({
    durationMs: answer.durationMs,
    delivery: answer.delivery,
    isCorrect: answer.isCorrect,
    correctnessPercentage: score,
    points,
  });
  expect(answer.isCorrect).toBe(score >= 60);
  expect(points.reduce((sum, { credit }) => sum + (credit ?? 0), 0)).toBe(score);
  for (const { state, credit } of points) if (state === 'missing' || state === 'contradicted') expect(credit).toBe(0);
  for (const { ms } of answer.delivery?.length ? [answer.delivery.length] : []) expect(ms).toBe(answer.durationMs);
  expect(item.averageCorrectness).toBe(average);
  expect(latest?.outcomes[0]).toMatchObject({ percentage: score, state: 'correct' });
  expect(Math.round(technologies[0]?.trend.at(-1)?.average ?? -1)).toBe(average);

  await goWithoutLoading(page, `/interviews/${item._id}`);
  const card = page.getByRole('article', { name: 'Question 1', exact: true });
  await expect.poll(() => verdict(card)).toEqual({ word: 'Correct', percentage: score });
  await card.getByText(`/ ${length}`, { exact: true }).waitFor();
  await card.getByText(`${pace} words per minute`).waitFor();
  if (answer.delivery?.length) await card.getByText(length, { exact: true }).waitFor();
  const lines = await card.getByRole('button', { name: / \d+ of \d+/ }).allTextContents();
  expect(
    lines.map((line) => /(\d+) of (\d+)\s*(?:could be [\d–]+)?\s*$/.exec(line)?.slice(1).map(Number)).toSorted(),
  ).toEqual(points.map(({ credit, weight }) => [credit, weight]).toSorted());

  await goWithoutLoading(page, `/interviews/${item._id}/takes/1`);
  const row = page.getByRole('table', { name: 'Takes, oldest first' }).getByRole('row').last();
  await expect
    .poll(async () => (await row.getByRole('cell').allTextContents()).slice(1, 4))
    .toEqual([expect.stringContaining(`${score}%`), pace, length]);

  await goWithoutLoading(page, '/interviews');
  await page.getByRole('listitem').first().getByText(`${average}%`, { exact: true }).waitFor();
  await goWithoutLoading(page, '/');
  const setCard = await findCard(page);
  await setCard.getByText(new RegExp(`, ${average}%$`)).waitFor();
  expectNoErrors();
}, 480_000);

test('a second, better interview shows up on the home screen, in the progress, the due questions and the comparison', async () => {
  const { candidate, page, set, average } = await taken();
  const expectNoErrors = watchForErrors(page);
  expect(average).toBeGreaterThan(20);
  await page.goto('/');
  const progress = await askAs<Progress>(candidate, '/api/progress');
  const again = progress.latest?.outcomes[0]?.percentage;
  await page
    .getByRole('region', { name: 'Your progress' })
    .getByText(`JavaScript: ${again}%, up from 0%, on 1 question you answered again`)
    .waitFor();

  await goWithoutLoading(page, '/progress');
  const javascript = page.getByRole('region', { name: 'JavaScript', exact: true });
  await javascript.getByRole('img', { name: `Average so far, over 2 interviews: from 0% to ${average}%` }).waitFor();
  await javascript.getByText(`1 question answered again: 0% at first, ${again}% now.`).waitFor();
  await javascript.getByText('Show the table').click();
  const rows = (await javascript.getByRole('row').all()).slice(1);
  const averages = await Promise.all(rows.map((row) => row.getByRole('cell').last().textContent()));
  expect(averages).toEqual([`${average}% of 2 questions`, '0% of 1 question']);
  expect(progress).toMatchObject({ streakDays: 1, sessionCount: 2 });
  expect(progress.spokenMs).toBeGreaterThan(speech.seconds * 1000);

  // A good answer postpones the question by more days than a weak one.
  const { questions } = await askAs<{ questions: ReviewQuestion[] }>(candidate, '/api/reviews');
  const days = questions.map(({ dueAt, answeredAt }) => (Date.parse(dueAt) - Date.parse(answeredAt)) / 86_400_000);
  expect(questions.map(({ questionId }) => questionId)).toEqual([1, 0]);
  expect(days[1]).toBeGreaterThan(1);
  expect(days[1]).toBeGreaterThan(days[0] ?? Infinity);
  const queue = page.getByRole('region', { name: 'Review queue' });
  const [good = '', wrong = ''] = set.questions;
  expect(await queue.getByRole('listitem').allTextContents()).toEqual([
    expect.stringContaining(wrong),
    expect.stringContaining(good),
  ]);

  // The comparison shows the second take next to the first.
  await goWithoutLoading(page, `/interviews/${progress.latest?._id}/takes/1`);
  const takes = page.getByRole('table', { name: 'Takes, oldest first' });
  await takes.getByText(`${progress.latest?.outcomes[0]?.percentage}%`, { exact: true }).waitFor();
  await takes.getByText('0%', { exact: true }).waitFor();
  await page.getByRole('article', { name: 'Take 1' }).waitFor();
  await page
    .getByRole('article', { name: 'Take 2' })
    .getByText(/instructions/)
    .first()
    .waitFor();

  // A review asks the question and names its set.
  await goWithoutLoading(page, '/progress');
  await queue.getByRole('link', { name: 'Review 2 questions now' }).click();
  await page.getByRole('button', { name: 'Start now' }).click();
  await page.getByText(`From ${title}`).waitFor();
  await page.getByRole('heading', { name: wrong }).waitFor();
  await page.getByText('Question 1 of 2').waitFor();
  expectNoErrors();
}, 480_000);

test('a practice session on camera appears in the practice history, and its video plays', async () => {
  const context = await newVisitor(browser, { reducedMotion: 'no-preference' });
  onTestFinished(() => context.close());
  await signedIn(context, await newDeveloper());
  const page = await context.newPage();
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

  // Give the speech engine no more work.
  await (await streamOf(page)).evaluate((stream) => {
    for (const track of stream.getAudioTracks()) track.enabled = false;
  });
  await press(page, 'Next Question');
  await page.getByText('Recording saved successfully').waitFor();
  await page.getByText('Question 2 of 5').waitFor();
  await page.getByText("We can't hear you.").waitFor();
  await press(page, 'Finish Practice');
  await press(page, 'Finish now');
  await press(page, 'Send as it is');
  // The spinner shown until the transcript is ready costs a fifth of a CPU core.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.getByText('You have completed the practice session!').waitFor();
  await page.waitForURL('**/practiceInterviews');
  // Back leads to the previous page, not into the finished session.
  await page.goBack();
  await page.waitForURL('**/practice');
  await page.goForward();

  await page
    .getByRole('link', { name: new RegExp(practiceTitle) })
    .first()
    .click();
  const first = page.getByRole('article', { name: 'Question 1', exact: true });
  const video = first.locator('video');
  await first.getByRole('button', { name: /^Play/ }).click();
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0);
  expect(await video.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBeGreaterThan(0);
  const transcript = first.getByLabel(/^Transcription of/);
  await transcript.waitFor({ timeout: 180_000 });
  await expect.poll(() => transcript.textContent()).toMatch(/instructions|function/i);
  await page.getByRole('article', { name: 'Question 2', exact: true }).waitFor();
  expectNoErrors();
});
