import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@interview-prep/local/settings';
import { expect, it } from 'vitest';

const execute = promisify(execFile);
const main = join(REPOSITORY, 'deploy/tools/faults/main.ts');

/** Runs the program; its exit status is 1 where anything was lost, doubled or stuck. */
async function runFaults(...args: string[]): Promise<{ output: string; status: number }> {
  return execute(process.execPath, [main, ...args]).then(
    ({ stdout }) => ({ output: stdout, status: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => ({
      output: error.stdout + error.stderr,
      status: error.code,
    }),
  );
}

it('loses and doubles nothing, and ends every fault of the short form by itself', async () => {
  const { output, status } = await runFaults('--short', '--seed', '11');
  expect(status, output).toBe(0);
  // The row of the total: faults, trials, and nothing lost, doubled or otherwise wrong.
  expect(output).toMatch(/\| \*\*total\*\* \| [1-9]\d* \| [1-9]\d* \| 0 \| 0 \| 0 \|/);
}, 480_000);

it('names the faults that can be chosen', async () => {
  const { output, status } = await runFaults('--only', 'no such fault');
  expect(status).toBe(1);
  expect(output).toContain('There is no fault "no such fault". Choose among: Redis emptied');
});
