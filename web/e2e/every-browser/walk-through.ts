import { afterAll, onTestFailed, test } from 'vitest';
import { type Account, newDeveloper } from '../browser.ts';
import { interviewSet } from '../recorded-session.ts';
import type { DrivenBrowser } from './driven-browser.ts';
import { expectNothingInClear } from './stored-in-clear.ts';
import { article, button, field, heading, link, text, Walk } from './walk.ts';

/** The differences between the browsers. */
interface Abilities {
  /** Whether the browser records the camera; otherwise audio only. */
  camera: boolean;
  /** Whether its microphone produces sound; an answer with five seconds of silence is held. */
  sound: boolean;
}

/** For a test, which takes up to 30 s; gives up on a hanging browser soon after. */
export const TIMEOUT_MS = 120_000;

const first = article(/^Question 1$/);

/** Waits until this many seconds (2 or more) are recorded: two exceed an answer's minimum of a thousand bytes. */
export async function answer(walk: Walk, question: string, seconds = 2): Promise<void> {
  await walk.see(text(new RegExp(`^Question ${question}$`)));
  // An interview counts down first.
  if (question.endsWith('of 2')) await walk.click(button(/^Answer now$/));
  await walk.see(text(/^Recording in progress/));
  await walk.see(text(new RegExp(`^0:(0[${seconds}-9]|[1-9]\\d)$`)));
}

/** Signs in on the first screen. */
async function signIn(walk: Walk, { email, password }: Account): Promise<void> {
  await walk.openSignedOut();
  await walk.type(field(/^Email/), email);
  await walk.type(field(/^Password/), password);
  await walk.click(button(/^Sign In$/));
  await walk.see(heading(/^Interview Sets$/));
}

/** Plays the first answer on its detail page, as on a later visit. */
async function play(walk: Walk, media: 'audio' | 'video'): Promise<void> {
  await walk.reload();
  await walk.see(button(/^Play/, first));
  // Without a sound card, Firefox only plays muted audio.
  await walk.mute(`${first}.querySelector('${media}')`);
  await walk.click(button(/^Play/, first));
  await walk.poll<number>(`${first}.querySelector('${media}')?.currentTime`).toBeGreaterThan(0.5);
  // Media is authorized by a cookie, and no URL contains a token or an email.
  const addresses = "performance.getEntriesByType('resource').map(({ name }) => name)";
  await walk.poll<boolean>(`${addresses}.some((name) => /@|%40|token=/i.test(name))`).toBe(false);
}

/** A browser for one test file, and the walk that drives it. */
interface Visit {
  browser: DrivenBrowser;
  walk: Walk;
}

/**
 * Tests of a file call the result for a browser with a signed-in user: the first call starts it. A failing test ends it, so
 * that the retry starts clean.
 */
export function visitWith(start: () => Promise<DrivenBrowser>): () => Promise<Visit> {
  let browser: DrivenBrowser | undefined;
  let visit: Visit | undefined;
  const end = async () => {
    const ended = browser;
    browser = undefined;
    visit = undefined;
    await ended?.close();
  };
  afterAll(end);
  return async () => {
    onTestFailed(end);
    if (visit) return visit;
    browser = await start();
    const walk = new Walk(browser);
    await signIn(walk, await newDeveloper());
    visit = { browser, walk };
    return visit;
  };
}

/** What survives a crash. */
export function testKilledBrowser(visit: () => Promise<Visit>): void {
  test(
    'what was said before the browser was killed is kept, encrypted, and can be sent',
    async () => {
      const { browser, walk } = await visit();
      const address = `/interview/${(await interviewSet('candidate', 'JavaScript Warm-up'))._id}`;
      await walk.open(address);
      await walk.click(button(/^Start now$/));
      // Chromium writes local storage, which holds the sign-in, up to five seconds late.
      await answer(walk, '1 of 2', 8);
      await expectNothingInClear(browser, walk);
      await browser.crash();
      await walk.open(address);
      await walk.see(heading(/^Unsent answer$/));
      await walk.click(button(/^Send it$/));
      await walk.see(text(/^Recording saved successfully/));
    },
    TIMEOUT_MS,
  );
}

/** An interview and a practice session. In Chromium interview.test.ts and practice.test.ts record, send and play them. */
export function testRecording(visit: () => Promise<Visit>, { camera, sound }: Abilities): void {
  const seconds = sound ? 2 : 6;
  const saved = sound ? /^Recording saved successfully/ : /^Your answer is saved, but we heard nothing in it/;
  /** Presses buttons one after another; then the one that sends a silent answer. */
  const send = async (walk: Walk, buttons: readonly RegExp[], sendsSilent: RegExp) => {
    for (const name of buttons) await walk.click(button(name));
    if (sound) return;
    await walk.see(text(/^We heard nothing in this answer/));
    await walk.click(button(sendsSilent));
  };

  test(
    'a user signs in; an interview is recorded, sent, transcribed and judged, and can be played',
    async () => {
      const { walk } = await visit();
      await walk.open('/');
      await walk.click(button(/^JavaScript/));
      await walk.click(link(/^Take Interview: JavaScript Warm-up$/));
      await walk.click(button(/^Start now$/));
      await answer(walk, '1 of 2', seconds);
      await send(walk, [/^Next Question$/], /^Next Question$/);
      await walk.see(text(saved));
      await answer(walk, '2 of 2', seconds);
      await send(walk, [/^Complete Interview$/], /^Complete Interview$/);
      await walk.see(text(/^Interview completed successfully/));
      await walk.click(link(/JavaScript Warm-up/));
      await walk.poll<string>(`${first}?.textContent`).toMatch(/Incorrect.*No answer was heard/);
      await play(walk, 'audio');
    },
    TIMEOUT_MS,
  );

  test(
    'a practice session is recorded and sent, and can be played',
    async () => {
      const { walk } = await visit();
      await walk.open('/practice');
      await walk.click(link(/^Practice Interview: JavaScript Essentials: Practice Round$/));
      if (camera) await walk.poll<number>("document.querySelector('video')?.videoWidth").toBeGreaterThan(0);
      else await walk.see(text(/^Only your voice is recorded/));
      await walk.click(button(/^Start Recording$/));
      await answer(walk, '1 of 5', seconds);
      await send(walk, [/^Next Question$/], /^Send as it is$/);
      await walk.see(text(saved));
      await answer(walk, '2 of 5', seconds);
      await send(walk, [/^Finish Practice$/, /^Finish now$/], /^Send as it is$/);
      await walk.see(text(/^You have completed the practice session!/));
      await walk.click(link(/JavaScript Essentials: Practice Round/));
      await walk.poll<string>(`${first}?.textContent`).toMatch(/No Transcription Available|No answer was heard/);
      await play(walk, camera ? 'video' : 'audio');
      if (camera) await walk.poll<number>(`${first}.querySelector('video').videoWidth`).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
}
