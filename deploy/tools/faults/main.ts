/**
 * `npm run faults`: see docs/fault-testing.md.
 *
 *     node main.ts [--trials N] [--seed S] [--only NAME]… [--short] [--twice] [--sabotage NAME]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { findCommand } from '@interview-prep/local/commands';
import { removeFolder } from '@interview-prep/local/data-folder';
import { StartupError } from '@interview-prep/local/settings';
import { type Options, readOptions } from './options.ts';
import { createRandom } from './random.ts';
import { formatTable, formatViolation } from './report.ts';
import { runFaults } from './run-faults.ts';
import { createSystem } from './system/system.ts';

const say = (line: string): void => console.log(`  ${line}`);
const SHOWN_VIOLATIONS = 10;

/** Set if this process has its own mount namespace. */
const OWN_MOUNTS = 'FAULTS_OWN_MOUNTS';
const hasOwnMounts = process.env[OWN_MOUNTS] === '1';

/** Reruns this program in its own mount namespace. @returns its exit status */
async function runWithOwnMounts(): Promise<number> {
  const command = ['--mount', '--propagation', 'private', process.execPath, ...process.execArgv];
  const env = { ...process.env, [OWN_MOUNTS]: '1' };
  const child = spawn('unshare', [...command, ...process.argv.slice(1)], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [status] = await once(child, 'exit');
  return status ?? 1;
}

async function run(options: Options): Promise<number> {
  const { seed, sabotage, twice } = options;
  say(`Seed ${seed}${sabotage ? `, with the sabotage ${sabotage}` : ''}`);
  if (!hasOwnMounts) say('Not running as root: power cuts copy files, and full disks are skipped.');
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  const folder = await mkdtemp(join(tmpdir(), 'interview-prep-faults-'));
  const system = await createSystem(folder, {
    random: createRandom(seed + 2),
    sabotage,
    mayMount: hasOwnMounts,
    twice,
  });
  try {
    const { journal, outcomes, overlaps, trialsUntilCaught, tookMs } = await runFaults(
      system,
      options,
      say,
      stopping.signal,
    );
    const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
    console.log(`\n${formatTable(outcomes, journal)}\n`);
    say(`Seed ${seed}; ${journal.operations.length} operations, ${journal.trials().length} of them trials`);
    say(`${overlaps} pairs of simultaneous faults`);
    say(`${(tookMs / 60_000).toFixed(1)} minutes on ${machine}`);
    for (const violation of journal.violations.slice(0, SHOWN_VIOLATIONS)) {
      console.log(`\n${formatViolation(violation, journal)}`);
    }
    if (sabotage) {
      say(trialsUntilCaught === undefined ? 'The sabotage was not caught' : `Caught after ${trialsUntilCaught} trials`);
    }
    return journal.violations.length === 0 ? 0 : 1;
  } finally {
    await system.stop();
    await removeFolder(folder);
  }
}

try {
  const options = readOptions(process.argv.slice(2));
  const canMount = process.getuid?.() === 0 && findCommand(['unshare']) && findCommand(['mkfs.ext4']);
  process.exitCode = canMount && !hasOwnMounts ? await runWithOwnMounts() : await run(options);
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  console.error(`\n  ${error.message}`);
  process.exitCode = 1;
}
process.exit();
