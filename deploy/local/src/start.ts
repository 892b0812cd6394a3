import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { productVersion } from '@interview-prep/contracts/api/version';
import { buildWebWhenStale } from './build-web.ts';
import type { Seed } from './data-folder.ts';
import { FIRST_ADMIN_EMAIL } from './product-processes.ts';
import { readSettings, StartupError } from './settings.ts';
import { type Stack, type StackEvent, startStack } from './stack.ts';
import type { Supervisor } from './supervisor.ts';

/** One Ctrl-C may arrive twice: from the terminal, and forwarded by npm. */
const SAME_PRESS_MS = 500;

const { values } = parseArgs({ options: { dev: { type: 'boolean', default: false } } });
const startedAt = performance.now();
/** Relative to the current folder if inside it. */
function shownPath(path: string): string {
  const fromHere = relative(process.cwd(), path) || '.';
  return fromHere.startsWith('..') ? path : fromHere;
}
const say = (line: string): void => console.log(line);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const SEED_CHANGES: Readonly<Record<Seed, string>> = {
  demo: 'adding the demonstration users and sets to the data',
  none: 'no longer adding demonstration data; existing data is kept',
};

const LINES: { [Kind in StackEvent['kind']]: (event: Extract<StackEvent, { kind: Kind }>) => string } = {
  mail: ({ url }) => `✓ caught mail is at ${url}`,
  'mail is caught': () =>
    '! no mail is sent: set SMTP_URL before others use this. Keep the address above to yourself: its mails have links that set passwords',
  started: ({ title, tookMs }) => `✓ ${title} (${seconds(tookMs)})`,
  'unknown setting': ({ message }) => `! ${message}`,
  prepared: ({ name, message }) => `! ${name}: ${message}`,
  recovered: ({ name }) => `✓ ${name} is running again`,
  'seed changed': ({ seed, dataDir }) => `! SEED=${seed}: ${SEED_CHANGES[seed]} in ${dataDir}`,
  'password kept': ({ dataDir }) =>
    `! DEMO_PASSWORD applies to new data only: the users in ${dataDir} keep their password`,
  waiting: ({ dataDir }) => `… another instance is still using ${dataDir}; waiting for it to stop`,
  died: ({ name, how, message, restartInMs }) =>
    `✗ ${name} ${how}${message && `: ${message}`}; restarting in ${seconds(restartInMs)}`,
};
const show = <Kind extends StackEvent['kind']>(event: Extract<StackEvent, { kind: Kind }>): void =>
  say(`  ${LINES[event.kind as Kind](event)}`);

function loginLines({ emails, password }: Stack['demo'], dataDir: string): string[] {
  if (emails.length > 0) return ['', ...emails.map((email) => `    ${email.padEnd(24)} ${password}`)];
  return password ? ['', `  No demonstration user still has the password in ${join(dataDir, 'demo-password')}.`] : [];
}

function announce(stack: Stack, dataDir: string): void {
  const lines = [
    '',
    `  Interview Prep is at  ${stack.url}   (version ${productVersion}, ready after ${seconds(performance.now() - startedAt)})`,
    ...loginLines(stack.demo, dataDir),
    ...(stack.setUpLink
      ? [
          '',
          `  Set a password for the admin ${process.env.ADMIN_EMAIL || FIRST_ADMIN_EMAIL} with this link (it can be used once and expires in 24 hours):`,
          `    ${stack.setUpLink}`,
        ]
      : []),
    '',
    `  Data and logs: ${shownPath(dataDir)}     Stop with Ctrl-C`,
    '',
  ];
  say(lines.join('\n'));
}

const starting = new AbortController();
const prepare = () => buildWebWhenStale(() => say('  … building the web app'), starting.signal);
let supervisor: Pick<Supervisor, 'kill'> | undefined;
let stack: Stack | undefined;
let stopRequestedAt: number | undefined;

async function stop(): Promise<void> {
  starting.abort();
  // A start in progress aborts on the signal.
  if (!stack) return;
  await stack.stop();
  say('  Stopped.');
  process.exit(0);
}

function onSignal(): void {
  const now = performance.now();
  if (stopRequestedAt === undefined) {
    stopRequestedAt = now;
    say('\n  Stopping; press Ctrl-C again to kill everything at once.');
    void stop();
  } else if (now - stopRequestedAt > SAME_PRESS_MS) {
    supervisor?.kill();
    process.exit(130);
  }
}

// The terminal may close before everything has stopped; a failed write must not interrupt the shutdown.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
// The parent process has exited.
process.on('disconnect', onSignal);

try {
  const { DATA_DIR: dataDir } = readSettings(process.env);
  stack = await startStack({
    env: process.env,
    watch: values.dev,
    onEvent: show,
    ...(!values.dev && { prepare }),
    signal: starting.signal,
    onSupervisor: (created) => {
      supervisor = created;
    },
  });
  if (starting.signal.aborted) await stop();
  announce(stack, dataDir);
} catch (error) {
  if (starting.signal.aborted) {
    say('  Stopped.');
    process.exit(0);
  }
  if (!(error instanceof StartupError)) throw error;
  console.error(`\n  ${error.message}`);
  process.exit(1);
}
