import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '@interview-prep/local/data-folder';
import { type Stack, startStack } from '@interview-prep/local/stack';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type CourseMember, startPlatform, type TestPlatform } from '../../services/auth/test/lti-platform.ts';
import { launchBrowser, newVisitor, watchForErrors } from './browser.ts';
import { eachOnce, expectFine } from './looks.ts';
import { press, recordFor } from './practice-session.ts';
import { type Speech, tone } from './speech.ts';

const teacher: CourseMember = { sub: 't1', name: 'Tara', email: 'tara@example.org', role: 'Instructor' };
const student: CourseMember = { sub: 's1', name: 'Sam', email: 'sam@example.org', role: 'Learner' };
const late: CourseMember = { sub: 's2', name: 'Lea', email: 'lea@example.org', role: 'Learner' };
/** The demo candidate, in the course with that account's email. */
const known: CourseMember = { sub: 's3', name: 'Kim', email: 'candidate@example.com', role: 'Learner' };

let browser: Browser;
let sound: Speech;
let platform: TestPlatform;
let stack: Stack;
let dataDir: string;

beforeAll(async () => {
  sound = await tone();
  browser = await launchBrowser({ speech: sound.path });
  dataDir = await mkdtemp(join(tmpdir(), 'interview-prep-e2e-lti-'));
  // A separate product, which may reach platforms on this machine.
  stack = await startStack({ env: { PORT: '0', DATA_DIR: dataDir, SEED: 'demo', WEBHOOK_NETWORKS: 'any' } });
  // A different site from the product's, as with a real platform: its frames don't keep a sign-in.
  platform = await startPlatform({ host: 'localhost' });
  platform.members.push(teacher, student, known);
  platform.state.toolUrl = stack.url;
  platform.state.toolKeys = await (await fetch(`${stack.url}/api/auth/lti/keys`)).json();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
  await stack.stop();
  await removeFolder(dataDir);
  await sound.remove();
});

async function visit(): Promise<BrowserContext> {
  const context = await newVisitor(browser, { baseURL: stack.url });
  onTestFinished(() => context.close());
  return context;
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(stack.demo.password);
  await press(page, 'Sign In');
}

/** A page of the course, for one of its users. */
async function course(context: BrowserContext, { sub }: CourseMember): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${platform.issuer}/course?as=${sub}`);
  return page;
}

/** Opens the activity in a new window and leaves the course. */
async function openActivity(context: BrowserContext, member: CourseMember): Promise<Page> {
  const from = await course(context, member);
  const [opened] = await Promise.all([context.waitForEvent('page'), press(from, 'Open the activity')]);
  await from.close();
  return opened;
}

test('an admin registers a platform, a teacher chooses an assignment there, a student takes it, and the score is sent back', async () => {
  const adminContext = await visit();
  const admin = await adminContext.newPage();
  const expectNoErrors = watchForErrors(admin);
  await admin.goto('/integrations');
  await signIn(admin, 'admin@example.com');
  await admin.getByText(`${stack.url}/api/auth/lti/launch`).waitFor();
  await press(admin, 'Add platform');
  const dialog = admin.getByRole('dialog', { name: 'Add a learning platform' });
  const { name, issuer, clientId, keysUrl, tokenUrl, authorizationUrl } = platform.registration;
  for (const [label, value] of [
    ['Name', name],
    ['Platform ID', issuer],
    ['Client ID', clientId],
    ['Public keyset URL', keysUrl],
    ['Access token URL', tokenUrl],
    ['Authentication request URL', authorizationUrl],
  ] as const)
    await dialog.getByLabel(label).fill(value);
  await expectFine(admin, eachOnce);
  await dialog.getByRole('button', { name: 'Add platform' }).click();
  await dialog.getByText('Please enter at least one deployment ID').waitFor();
  await dialog.getByLabel('Deployment IDs').fill('7');
  await dialog.getByRole('button', { name: 'Add platform' }).click();
  await admin.getByRole('list', { name: 'Learning platforms' }).getByText('Moodle').waitFor();
  await expectFine(admin, eachOnce);
  expectNoErrors();

  // Before the teacher's first launch.
  const early = await openActivity(await visit(), student);
  await early.getByText('Your teacher has not set up this course here yet.').waitFor();
  await early.getByText(/go back to your course/).waitFor();
  await expectFine(early, eachOnce);

  // The platform requests content in a frame, which waits while a window chooses.
  const teachers = await visit();
  const editor = await course(teachers, teacher);
  await press(editor, 'Open a stranger');
  const frame = editor.frameLocator('iframe');
  await frame.getByText('This learning platform is not registered here.').waitFor();
  await press(editor, 'Select content');
  const [chooser] = await Promise.all([
    teachers.waitForEvent('page'),
    frame.getByRole('link', { name: 'Open in a new window' }).click(),
  ]);
  const expectNoChoiceErrors = watchForErrors(chooser);
  await chooser.getByText('Nothing assigned yet').waitFor();
  // The remaining work survives a reload.
  await chooser.reload();
  await press(chooser, 'Assign work');
  const assign = chooser.getByRole('dialog', { name: /^Assign work/ });
  await assign.getByLabel('Title').fill('Closures');
  await assign.getByRole('combobox', { name: 'Sets' }).or(assign.getByLabel('Sets')).first().fill('JavaScript Warm-up');
  await chooser.getByRole('option', { name: 'JavaScript Warm-up', exact: true }).click();
  await chooser.keyboard.press('Tab');
  await assign.getByRole('button', { name: 'Assign', exact: true }).click();
  await chooser.getByRole('button', { name: 'Choose: Closures' }).waitFor();
  await expectFine(chooser, eachOnce);
  await chooser.getByRole('button', { name: 'Choose: Closures' }).click();
  await chooser.getByText('You can close this window.').waitFor();
  await frame.getByRole('heading', { name: 'Saved: Closures' }).waitFor({ timeout: 30_000 });
  expectNoChoiceErrors();
  await chooser.close();

  const member = await openActivity(await visit(), student);
  const expectNoMemberErrors = watchForErrors(member);
  await member.getByRole('heading', { name: 'Web Engineering' }).waitFor();
  await member.getByRole('link', { name: 'Start: JavaScript Warm-up' }).click();
  await press(member, 'Start now');
  await recordFor(member, 2);
  await press(member, 'Next Question');
  await member.getByText('Question 2 of 2').waitFor();
  await recordFor(member, 2);
  await press(member, 'Complete Interview');
  await member.getByText('Interview completed successfully').waitFor();
  expectNoMemberErrors();
  await expect.poll(() => platform.scores.length, { timeout: 180_000 }).toBeGreaterThan(0);
  const sent = platform.scores.at(-1);
  expect(sent).toMatchObject({
    path: '/items/3/lineitem/scores?type_id=1',
    body: { userId: student.sub, scoreMaximum: 100, activityProgress: 'Completed' },
  });

  const coach = await openActivity(teachers, teacher);
  const expectNoCoachErrors = watchForErrors(coach);
  await coach.getByRole('row', { name: /Sam/ }).waitFor();
  await coach.goto(new URL('..', coach.url()).href.replace(/\/$/, ''));
  platform.members.push(late);
  await press(coach, 'Update members from Web Engineering');
  // The demo candidate has an account, and links it themselves.
  await coach.getByText('1 added, 2 already here').waitFor();
  await coach.getByText('1 person not added').waitFor();
  await coach.getByRole('list', { name: 'People' }).getByText('Lea', { exact: true }).waitFor();
  await press(coach, 'Scores sent to Web Engineering');
  const scores = coach.getByRole('dialog', { name: /^Scores sent/ });
  await scores.getByText(`${student.email} · ${Math.round(Number(sent?.body.scoreGiven))}%`).waitFor();
  await scores.getByText('Delivered').waitFor();
  await expectFine(coach, eachOnce);
  const before = platform.scores.length;
  await scores.getByRole('button', { name: /^Send again/ }).click();
  await expect.poll(() => platform.scores.length).toBe(before + 1);
  expectNoCoachErrors();
});

test('a window without a frame posts the choice itself; an existing account is linked after a sign-in', async () => {
  const teachers = await visit();
  const editor = await course(teachers, teacher);
  await press(editor, 'Select content here');
  await editor.getByRole('button', { name: 'Choose: Closures' }).click();
  await editor.getByRole('heading', { name: 'Saved: Closures' }).waitFor();
  expect(editor.url()).toBe(`${platform.issuer}/return?course=1`);

  const context = await visit();
  const member = await openActivity(context, known);
  await member.getByRole('heading', { name: 'You already have an account' }).waitFor();
  const expectNoErrors = watchForErrors(member);
  await expectFine(member, eachOnce);
  await member.getByRole('link', { name: 'Continue' }).click();
  await signIn(member, 'candidate@example.com');
  await member.getByText('You are signed in as candidate@example.com').waitFor();
  await expectFine(member, eachOnce);
  await press(member, 'Link and continue');
  await member.getByRole('region', { name: 'Closures' }).waitFor();
  await member.close();
  // From now on the course signs them in, in this window too.
  const here = await course(await visit(), known);
  await press(here, 'Open the activity here');
  await here.getByRole('region', { name: 'Closures' }).waitFor();
  await here.goto('/lti');
  await here.getByRole('heading', { name: 'Open it from your course' }).waitFor();
  expectNoErrors();
});
