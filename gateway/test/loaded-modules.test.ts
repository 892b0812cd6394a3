import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const app = new URL('../src/app.ts', import.meta.url);
const script = `
  import { createRequire } from 'node:module';
  await import('${app}');
  console.log(Object.keys(createRequire('/').cache).join('\\n'));
`;

test('the gateway loads no client of a database or a queue', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect(stdout).toContain('/node_modules/express/');
  expect(stdout).not.toMatch(/\/node_modules\/(mongoose|mongodb|bullmq)\//);
});
