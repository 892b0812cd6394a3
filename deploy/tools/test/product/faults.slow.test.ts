import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@interview-prep/local/settings';
import { expect, it } from 'vitest';

const execute = promisify(execFile);
const main = join(REPOSITORY, 'deploy/tools/faults/main.ts');

/** Runs the program; its exit status is 1 if anything was lost, duplicated or stuck. */
async function runFaults(...args: string[]): Promise<{ output: string; status: number }> {
  return execute(process.execPath, [main, ...args]).then(
    ({ stdout }) => ({ output: stdout, status: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => ({
      output: error.stdout + error.stderr,
      status: error.code,
    }),
  );
}

const killed = ['kill ', 'terminate ', 'the primary of Redis', 'MongoDB primary'].flatMap((name) => ['--only', name]);

it.each([
  { form: 'of the short form', args: ['--seed', '11'], injected: '[1-9]\\d*' },
  { form: 'of twenty, with two of each process', args: ['--seed', '12', '--twice', ...killed], injected: '20' },
])(
  'loses and duplicates nothing, leaves no page stale, and recovers from every fault $form without help',
  async ({ args, injected }) => {
    const { output, status } = await runFaults('--short', ...args);
    expect(status, output).toBe(0);
    // The total row: faults, trials, and nothing lost, duplicated or otherwise wrong.
    expect(output).toMatch(new RegExp(`\\| \\*\\*total\\*\\* \\| ${injected} \\| [1-9]\\d* \\| 0 \\| 0 \\| 0 \\|`));
  },
  900_000,
);

it('lists the faults that can be chosen', async () => {
  const { output, status } = await runFaults('--only', 'no such fault');
  expect(status).toBe(1);
  expect(output).toMatch(/There is no fault "no such fault"\. Choose among: .*Redis emptied/);
});
