import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { buildWebWhenStale } from './build-web.ts';
import type { Seed } from './data-folder.ts';
import { FIRST_ADMIN_EMAIL } from './product-processes.ts';
import { readSettings } from './settings.ts';
import { type Stack, type StackEvent, startStack } from './stack.ts';
import { StartupError } from './startup-error.ts';
import type { Supervisor } from './supervisor.ts';

/** One key press may arrive more than once: from the terminal and, passed on, from npm. */
const SAME_PRESS_MS = 500;

const { values } = parseArgs({ options: { dev: { type: 'boolean', default: false } } });
const startedAt = performance.now();
const say = (line: string): void => console.log(line);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const SEED_CHANGES: Readonly<Record<Seed, string>> = {
  demo: "the demonstration's users and sets are added to what is",
  none: 'no demonstration is added any more, and its users and sets stay that are',
};

const LINES: { [Kind in StackEvent['kind']]: (event: Extract<StackEvent, { kind: Kind }>) => string } = {
  mail: ({ url }) => `✓ mail is caught: ${url}`,
  started: ({ title, tookMs }) => `✓ ${title} (${seconds(tookMs)})`,
  recovered: ({ name }) => `✓ ${name} runs again`,
  'seed changed': ({ seed, dataDir }) => `! SEED=${seed}: ${SEED_CHANGES[seed]} in ${dataDir}`,
  'password kept': ({ dataDir }) =>
    `! DEMO_PASSWORD is for new data: the users in ${dataDir} keep the password they have`,
  waiting: ({ dataDir }) => `… another start still uses ${dataDir}; waiting for it to end`,
  died: ({ name, how, message, restartInMs }) =>
    `✗ ${name} ${how}${message && `: ${message}`}; it starts again in ${seconds(restartInMs)}`,
};
const show = <Kind extends StackEvent['kind']>(event: Extract<StackEvent, { kind: Kind }>): void =>
  say(`  ${LINES[event.kind as Kind](event)}`);

const loginLines = ({ emails, password }: Stack['demo'], dataDir: string): string[] => {
  if (emails.length > 0) return ['', ...emails.map((email) => `    ${email.padEnd(24)} ${password}`)];
  return password
    ? ['', `  None of the demonstration's users has the password in ${join(dataDir, 'demo-password')}.`]
    : [];
};

const announce = (stack: Stack, dataDir: string): void => {
  const lines = [
    '',
    `  Interview Prep is at  ${stack.url}   (ready after ${seconds(performance.now() - startedAt)})`,
    ...loginLines(stack.demo, dataDir),
    ...(stack.setUpLink
      ? [
          '',
          `  Set a password for the admin ${process.env.ADMIN_EMAIL || FIRST_ADMIN_EMAIL} with this link (it works once, for 24 hours):`,
          `    ${stack.setUpLink}`,
        ]
      : []),
    '',
    `  Data and logs: ${relative(process.cwd(), dataDir) || '.'}     Stop with Ctrl-C`,
    '',
  ];
  say(lines.join('\n'));
};

const starting = new AbortController();
let supervisor: Pick<Supervisor, 'kill'> | undefined;
let stack: Stack | undefined;
let stopAskedAt: number | undefined;

const stop = async (): Promise<void> => {
  starting.abort();
  // A start under way ends itself, by the signal.
  if (!stack) return;
  await stack.stop();
  say('  Stopped.');
  process.exit(0);
};

const onSignal = (): void => {
  const now = performance.now();
  if (stopAskedAt === undefined) {
    stopAskedAt = now;
    say('\n  Stopping; press Ctrl-C again to end everything at once.');
    void stop();
  } else if (now - stopAskedAt > SAME_PRESS_MS) {
    supervisor?.kill();
    process.exit(130);
  }
};

// The terminal, or whoever reads this, may be gone before everything is stopped: that must not end the stopping.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
// Whoever started this went away without a word.
process.on('disconnect', onSignal);

try {
  const { DATA_DIR: dataDir } = readSettings(process.env);
  stack = await startStack({
    env: process.env,
    watch: values.dev,
    onEvent: show,
    ...(!values.dev && { prepare: () => buildWebWhenStale(() => say('  … building the web app'), starting.signal) }),
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
