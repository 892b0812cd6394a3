import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@interview-prep/local/settings';
import { expect, it } from 'vitest';

it('npm run attack: no attack succeeds', async () => {
  const main = join(REPOSITORY, 'deploy/tools/attack/main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [main]);
  expect(stdout).toMatch(/\n {2}[1-9]\d+ attacks, 0 succeeded\n$/);
}, 600_000);
