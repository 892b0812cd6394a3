import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, inject, test } from 'vitest';
import {
  acceptDialogs,
  atRest,
  type DemoUser,
  launchBrowser,
  newVisitor,
  signedIn,
  signInByHand,
  tokenOf,
  viewports,
} from './browser.ts';
import { interviewSet, practiceSet, recordedSession } from './recorded-session.ts';
import { drawSight, type Sight } from './sight.ts';
import { type Speech, speak } from './speech.ts';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '../../docs/screenshots');

/** Correct, but in quite different words from the expert's. */
const goodAnswer =
  'You take a few steps that belong together and put a name on them. From then on you call the name whenever you need ' +
  'those steps, so you never copy the same code around. You can pass in some values, and most of the time you get a ' +
  'result back. I keep mine small and let each of them do one thing only, and I choose a name that says what it does, ' +
  'because then it is easy to read, to test and to change later.';

const shortAnswer =
  'A function gives a name to a group of instructions. We write the instructions once, and use them many times.';

const secondAnswer =
  'A list is for many values of the same kind, one after the other, and you get at each of them by its position. ' +
  'An object is for a single thing with several parts, and you get at each part by its name, ' +
  'like the email and the age of a customer.';

/** Spoken interviews, oldest first: the user, the set, and the answers. */
const interviews: readonly { who: DemoUser; set: string; answers: readonly string[] }[] = [
  {
    who: 'dev',
    set: 'React: Components, State and Hooks',
    answers: [
      'A component renders again when its state changes, when its parent renders, or when a context changes. ' +
        'React compares the new tree with the previous one and applies only the necessary changes.',
      'A key tells React which item of the previous render an element belongs to. ' +
        'If the key is the index, local state and input text stay at the old position.',
    ],
  },
  { who: 'candidate', set: 'JavaScript Warm-up', answers: [shortAnswer, 'Lists keep their values in order.'] },
  { who: 'dev', set: 'JavaScript Warm-up', answers: [goodAnswer, secondAnswer] },
  { who: 'candidate', set: 'JavaScript Warm-up', answers: [goodAnswer, secondAnswer] },
];

const developers = [
  ['maya.lindqvist@example.com', ['react', 'typescript', 'css-and-html']],
  ['tomas.ferreira@example.com', ['java', 'sql']],
  ['aiko.tanaka@example.com', ['python', 'system-design', 'devops']],
] as const;

let browser: Browser;
let speech: Speech;
let sight: Sight;
const made: string[] = [];

async function register(email: string, technologies: readonly string[]): Promise<void> {
  const response = await fetch(`${inject('productUrl')}/api/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await tokenOf('admin')}` },
    body: JSON.stringify({ email, technologies, role: 'dev', password: randomUUID() }),
  });
  if (response.status !== 201) throw new Error(`No user ${email}: ${response.status} ${await response.text()}`);
}

async function sendAnswers({ who, set: title, answers }: (typeof interviews)[number]): Promise<string> {
  const set = await interviewSet(who, title);
  const sessionId = randomUUID();
  let id = '';
  for (const [questionId, answer] of answers.entries()) {
    const spoken = await speak(answer);
    id = await recordedSession(who, set, spoken.path, { sessionId, questionId });
    await spoken.remove();
  }
  return id;
}

beforeAll(async () => {
  [speech, sight] = await Promise.all([speak(goodAnswer), drawSight()]);
  browser = await launchBrowser({ speech: speech.path, sight: sight.path });
  await mkdir(folder, { recursive: true });
  for (const [email, technologies] of developers) await register(email, technologies);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([speech.remove(), sight.remove()]);
});

interface Shot {
  name: string;
  who?: DemoUser | 'visitor';
  options?: BrowserContextOptions;
  /** Captures the full page, not just the viewport. */
  whole?: boolean;
  show: (page: Page) => Promise<unknown>;
}

/** Calls the API as a person. @throws on an error response */
async function call(who: DemoUser, method: string, path: string, body?: object) {
  const response = await fetch(`${inject('productUrl')}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await tokenOf(who)}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Takes a screenshot and reduces it to a palette, since the interface has few colors. */
async function take({ name, who = 'candidate', options = {}, whole = false, show }: Shot): Promise<void> {
  const context = await newVisitor(browser, { colorScheme: 'light', locale: 'en-US', ...options });
  if (who !== 'visitor') await signedIn(context, who);
  const page = await context.newPage();
  acceptDialogs(page);
  await show(page);
  await atRest(page);
  const raw = join(folder, `${name}.raw.png`);
  await page.screenshot({ path: raw, fullPage: whole });
  await run('convert', [raw, '+dither', '-colors', '160', '-strip', `PNG8:${join(folder, `${name}.png`)}`]);
  await rm(raw);
  await context.close();
  made.push(name);
}

const phone = { viewport: viewports.phone, deviceScaleFactor: 2, isMobile: true };
const dark = { colorScheme: 'dark' } as const;

test('screenshots', async () => {
  const ids: string[] = [];
  for (const interview of interviews) ids.push(await sendAnswers(interview));
  const warmUp = await interviewSet('candidate', 'JavaScript Warm-up');
  const rehearsal = await practiceSet('candidate', 'JavaScript Essentials: Practice Round');
  await recordedSession('candidate', rehearsal, speech.path, { kind: 'practice' });

  const detail = async (page: Page) => {
    await page.goto(`/interviews/${ids.at(-1)}`);
    const verdicts = page.getByRole('article').getByText(/^(Correct|Partially correct|Incorrect)$/);
    await verdicts.nth(1).waitFor({ timeout: 300_000 });
    await page.locator('article canvas').first().waitFor();
  };
  const recorder = async (page: Page) => {
    await page.goto(`/interview/${warmUp._id}`);
    await page.getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('timer').getByText('0:07').waitFor();
  };
  const home = async (page: Page) => {
    await page.goto('/');
    await page
      .getByText(/Last taken/)
      .first()
      .waitFor();
  };
  const progress = async (page: Page) => {
    await page.goto('/progress');
    await page.getByRole('img', { name: /^Average so far, over 2 interviews/ }).waitFor();
  };
  const takes = async (page: Page) => {
    await page.goto(`/interviews/${ids.at(-1)}/takes/1`);
    await page.getByRole('heading', { name: /^Better than before/ }).waitFor();
    await page.locator('article canvas').nth(1).waitFor();
  };
  const history = async (page: Page) => {
    await page.goto('/interviews');
    await page
      .getByRole('link', { name: /JavaScript Warm-up/ })
      .first()
      .waitFor();
  };
  const practice = async (page: Page) => {
    await page.goto(`/practice/session/${rehearsal._id}`);
    await page.getByRole('button', { name: 'Start Recording' }).click();
    await page.getByRole('timer').getByText('0:09').waitFor();
  };
  /** The newest interview behind a link. */
  const shared = async (page: Page) => {
    const { token } = await call('candidate', 'POST', `/api/sessions/${ids.at(-1)}/shares`, { role: 'review' });
    await page.goto(`/shared#${token}`);
    await page.locator('article canvas').first().waitFor();
  };
  const appeals = async (page: Page) => {
    // The newest interview is judged last.
    await detail(page);
    const answersOf = async (id = ''): Promise<{ _id: string }[]> =>
      (await call('admin', 'GET', `/api/interviews/${id}`)).recordings;
    const [first, second] = await answersOf(ids[1]);
    const reason = 'I said that a list keeps the order. That is the point about positions.';
    await call('candidate', 'POST', `/api/recordings/${second?._id}/appeal`, { reason });
    const verdicts = [first, ...(await answersOf(ids[2]))];
    for (const [index, answer] of verdicts.entries())
      await call('admin', 'PUT', `/api/recordings/${answer?._id}/review`, {
        correctnessPercentage: 55 + 15 * index,
        reason: 'The idea is there, in other words.',
      });
    await page.goto('/admin/appeals');
    await page.getByRole('region', { name: 'Agreement by question' }).waitFor();
  };
  const audit = async (page: Page) => {
    await page.goto('/audit');
    await page.getByRole('list', { name: 'Events' }).waitFor();
  };
  /** Signed in through the form, so that the sign-in shows its browser; on the host that has passkeys. */
  const security = async (page: Page) => {
    const { port } = new URL(inject('productUrl'));
    await page.goto(`http://localhost:${port}/security`);
    await signInByHand(page, 'candidate', { stay: true });
    await page.getByRole('heading', { level: 1, name: 'Sign-in and Security' }).waitFor();
    await page.waitForLoadState('networkidle');
  };
  const review = async (page: Page) => {
    await page.goto('/review');
    await page.getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('timer').getByText('0:07').waitFor();
  };
  const heading = (address: string, name: string) => async (page: Page) => {
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.waitForLoadState('networkidle');
  };

  const shots: readonly Shot[] = [
    { name: 'interview-detail', whole: true, show: detail },
    { name: 'interview-detail-dark', options: dark, show: detail },
    { name: 'interview-detail-phone', options: phone, show: detail },
    { name: 'home', show: home },
    { name: 'home-dark', options: dark, show: home },
    { name: 'home-phone', options: phone, show: home },
    { name: 'progress', whole: true, show: progress },
    { name: 'progress-dark', options: dark, whole: true, show: progress },
    { name: 'progress-phone', options: phone, whole: true, show: progress },
    { name: 'takes', whole: true, show: takes },
    { name: 'takes-phone', options: phone, whole: true, show: takes },
    { name: 'shared-interview', who: 'visitor', show: shared },
    { name: 'shared-interview-phone', who: 'visitor', options: phone, show: shared },
    { name: 'appeals', who: 'admin', show: appeals },
    { name: 'audit-log', who: 'admin', show: audit },
    { name: 'security', who: 'visitor', show: security },
    { name: 'review-session', show: review },
    { name: 'recorder', show: recorder },
    { name: 'recorder-phone', options: phone, show: recorder },
    { name: 'interview-history', who: 'admin', show: history },
    {
      name: 'interview-history-by-email',
      who: 'admin',
      show: async (page) => {
        await page.goto('/interviews#view=email');
        for (const email of ['candidate@example.com', 'dev@example.com'])
          await page.getByRole('button', { name: new RegExp(email) }).click();
        await page
          .getByRole('link', { name: /JavaScript Warm-up/ })
          .first()
          .waitFor();
      },
    },
    { name: 'practice-session', show: practice },
    { name: 'practice-session-phone', options: phone, show: practice },
    { name: 'practice-sets', show: heading('/practice', 'Practice Interview') },
    { name: 'edit-interview-set', who: 'admin', show: heading(`/edit/${warmUp._id}`, 'Edit Interview Set') },
    { name: 'manage-technologies', who: 'admin', show: heading('/technologies', 'Manage Technologies') },
    { name: 'manage-users', who: 'admin', show: heading('/users', 'Manage Users') },
    { name: 'manage-practice-sets', who: 'admin', show: heading('/admin/practice', 'Practice Sets') },
    {
      name: 'choose-technologies',
      show: async (page) => {
        await page.goto('/technology-selection');
        for (const name of ['JavaScript', 'React', 'SQL'])
          await page.getByRole('checkbox', { name, exact: true }).click();
        await page.getByText('3 of 3 chosen').waitFor();
      },
    },
    {
      name: 'login',
      who: 'visitor',
      show: async (page) => {
        await page.goto('/');
        await page.getByText('Demo logins').waitFor();
      },
    },
    { name: 'plans', show: heading('/payment', 'Choose your plan') },
  ];
  const only = new RegExp(process.env.ONLY ?? '');
  for (const shot of shots) if (only.test(shot.name)) await take(shot);
  console.log(`${made.length} pictures are in docs/screenshots: ${made.join(', ')}`);
});
