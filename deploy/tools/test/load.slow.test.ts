import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@interview-prep/local/settings';
import { describe, expect, it } from 'vitest';

const main = join(REPOSITORY, 'deploy/tools/load/main.ts');
const load = (...args: string[]) =>
  promisify(execFile)(process.execPath, [main, ...args]).then(
    ({ stdout }) => ({ status: 0, said: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ status: code, said: stderr }),
  );

describe('npm run load', () => {
  const refused: [why: string, args: string[], said: string][] = [
    ['another machine', ['--url', 'https://interviews.example.com'], '--url must be an address of this machine'],
    ['a name that only begins like this machine', ['--url', 'http://127.0.0.1.example.com'], '--url must be'],
    ['more than an hour', ['--seconds', '3601'], '--seconds must be a number from 1 to 3600.'],
    ['more people than it can be', ['--per-minute', 'many'], '--per-minute must be a number from 1 to 600.'],
    ['an option that does not exist', ['--people', '5'], "Unknown option '--people'"],
  ];
  it.each(refused)('rejects %s', async (_why, args, said) => {
    const outcome = await load(...args);
    expect(outcome).toMatchObject({ status: 1 });
    expect(outcome.said).toContain(said);
  });

  it('simulates users who take interviews on a separate product, and reports response times', async () => {
    const sizes = ['--seconds', '6', '--per-minute', '40', '--answers', '1', '--answer-seconds', '3', '--speed', '0.1'];
    const { status, said } = await load(...sizes);
    expect(said).toMatch(/kind +count +failed +median/);
    const [, people] = /(\d+) came/.exec(said) ?? [];
    expect(Number(people)).toBeGreaterThan(0);
    for (const kind of ['sign in', 'transcript after Stop', 'verdict after Stop', 'recording'])
      expect(said).toMatch(new RegExp(`^ +${kind} +${people} +0 `, 'm'));
    expect(said).toMatch(/per answer: \d+\.\d commands of MongoDB, \d+\.\d of Redis/);
    expect(said).toMatch(/recording\/src\/worker\.ts +\d+ MB/);
    expect(status).toBe(0);
  }, 240_000);
});
