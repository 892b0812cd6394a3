import type { JSHandle, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The practice set of the browser tests, with five questions. */
export const practiceTitle = 'JavaScript Essentials: Practice Round';

/** The route pattern of requests that complete an upload. */
export const completions = '**/api/uploads/*/complete';

/** Opens a practice session up to its first question. */
export async function openSession(page: Page): Promise<void> {
  await page.goto('/practice');
  await page.getByRole('link', { name: `Practice Interview: ${practiceTitle}` }).click();
  await page.getByText('Question 1 of 5').waitFor();
}

/** Presses the button with this exact name. */
export function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click();
}

/** Records an answer for at least some seconds, by the recorder's timer. Skips an interview's countdown. */
export async function recordFor(page: Page, seconds: number): Promise<void> {
  const answerNow = page.getByRole('button', { name: 'Answer now' });
  await answerNow.or(page.getByText('Recording in progress...')).waitFor();
  if (await answerNow.isVisible()) await answerNow.click();
  await page.getByText('Recording in progress...').waitFor();
  const recorded = async () => {
    const [, minutes, rest] =
      /(\d+):(\d\d)/.exec((await page.getByRole('timer', { name: 'Recording time' }).textContent()) ?? '') ?? [];
    return 60 * Number(minutes) + Number(rest);
  };
  await expect.poll(recorded, { timeout: 120_000, interval: 250 }).toBeGreaterThanOrEqual(seconds);
}

/** The stream being recorded, as shown in the preview. */
export function streamOf(page: Page): Promise<JSHandle<MediaStream>> {
  return page.getByLabel('Camera preview').evaluateHandle((video: HTMLVideoElement) => video.srcObject as MediaStream);
}

/** The typed part of the suggested answer. */
export async function prompted(page: Page): Promise<string> {
  return (await page.getByRole('region', { name: 'Suggested answer' }).locator('[aria-hidden]').textContent()) ?? '';
}
