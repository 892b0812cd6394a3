import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogOutput } from '../src/process/logger.ts';

const script = fileURLToPath(new URL('./fixtures/log-lines.ts', import.meta.url));

interface LogLine {
  msg: string;
  line?: number;
  dropped?: number;
}
const linesOf = (text: string): LogLine[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-output-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a process that logs this many lines of a kilobyte. `tookMs` resolves when it has finished. */
function startLogging(lines: number, stdout: number | 'pipe') {
  const child = spawn(process.execPath, [script], {
    env: { LINES: String(lines) },
    stdio: ['ignore', stdout, 'pipe'],
  });
  const tookMs = once(child.stderr!, 'data').then(([text]) => Number(String(text)));
  return { child, tookMs, ended: once(child, 'close') };
}

test('a process whose log disk is full keeps running, and exits when asked', async () => {
  const full = openSync('/dev/full', 'w');
  const { child, tookMs, ended } = startLogging(5000, full);
  closeSync(full);
  expect(await tookMs).toBeLessThan(2000);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('a process whose log is not read continues; once it is read, the log says how many lines were dropped', async () => {
  const lines = 5000;
  const { child, tookMs, ended } = startLogging(lines, 'pipe');
  expect(await tookMs).toBeLessThan(2000);
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  await expect.poll(() => output).toContain('log lines were dropped');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);

  const logged = linesOf(output);
  const kept = logged.filter(({ msg }) => msg === 'a line');
  const dropped = logged.find((line) => line.dropped)?.dropped ?? 0;
  expect(kept.length + dropped).toBe(lines);
  expect(kept.map(({ line }) => line)).toEqual(kept.map((_line, index) => index));
  expect(dropped).toBeGreaterThan(1000);
  expect(logged.at(-1)?.msg).toBe('the last line');
});

test.skipIf(!canMount())('lines held back by a full disk are written completely once it has space', async () => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
  try {
    const [filler, path] = [join(folder, 'filler'), join(folder, 'log')];
    writeFileSync(filler, Buffer.alloc(32 * 1024));
    const descriptor = openSync(path, 'a');
    const output = createLogOutput(descriptor, 'test');
    const numbers = [...Array(45).keys()];
    for (const line of numbers) output.write(`${JSON.stringify({ msg: 'a line', line, filler: 'x'.repeat(1000) })}\n`);
    expect(readFileSync(path).length).toBeLessThanOrEqual(32 * 1024);
    truncateSync(filler, 0);
    await expect.poll(() => linesOf(readFileSync(path, 'utf8')).map(({ line }) => line)).toEqual(numbers);
    closeSync(descriptor);
  } finally {
    execFileSync('umount', [folder]);
  }
});

/** Whether this machine allows tests to mount a small file system. */
function canMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'log-output-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', probe], { stdio: 'ignore' });
    execFileSync('umount', [probe]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}
