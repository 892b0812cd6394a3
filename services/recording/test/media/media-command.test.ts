import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runMediaCommand } from '../../src/media/media-command.ts';
import { runCommand } from '../../src/media/run-command.ts';
import { temporaryFolder } from '../engines/spoken-answer.ts';
import { runningFfmpegs } from '../setup/running-programs.ts';

const endless = ['-nostdin', '-v', 'error', '-re', '-f', 'lavfi', '-i', 'anullsrc', '-f', 'null', '-'];
const run = (...args: string[]) =>
  runMediaCommand('ffmpeg', args, { signal: new AbortController().signal, timeoutMs: 30_000 });

const interrupted = { name: 'MediaError', permanent: false, message: 'Processing the recording was interrupted.' };

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'an ffmpeg that is killed by %s says nothing about its recording',
  async (signal) => {
    const running = run(...endless);
    const failed = expect(running).rejects.toMatchObject(interrupted);
    await expect.poll(runningFfmpegs).toHaveLength(1);
    for (const pid of await runningFfmpegs()) process.kill(pid, signal);
    await failed;
  },
);

it('neither does one that exits with the status of a signal', async () => {
  // At its CPU time limit, ffmpeg exits in the same way as after SIGTERM.
  const limited = run('-timelimit', '1', ...endless.filter((argument) => argument !== '-re'));
  await expect(limited).rejects.toMatchObject({ ...interrupted, cause: { status: 255, killedBy: null } });
});

it('an ffmpeg without a required encoder is reported', async () => {
  const lacking = run(...endless.slice(0, -3), '-t', '1', '-c:a', 'no-such-encoder', '-f', 'null', '-');
  await expect(lacking).rejects.toMatchObject({ permanent: false, message: expect.stringContaining('encoder') });
});

it('an ffmpeg that rejects its recording is reported as a media error', async () => {
  const damaged = { name: 'MediaError', permanent: true, message: 'The recording is damaged and cannot be read.' };
  await expect(run('-nostdin', '-v', 'error', '-i', 'file:/dev/null', '-f', 'null', '-')).rejects.toMatchObject(
    damaged,
  );
});

const limits = { cpuSeconds: 1, memoryBytes: 192 * 2 ** 20, fileBytes: 100_000, openFiles: 64 };
const runLimited = (...args: string[]) =>
  runMediaCommand('ffmpeg', args, { signal: new AbortController().signal, timeoutMs: 60_000, limits });

it('an ffmpeg that uses too much CPU time is stopped, and not retried', async () => {
  const computing = endless.filter((argument) => argument !== '-re');
  await expect(runLimited(...computing)).rejects.toMatchObject({
    permanent: true,
    message: 'Processing the recording took too much CPU time.',
  });
});

it('an ffmpeg that writes too much is stopped, and not retried', async () => {
  const writing = ['-nostdin', '-v', 'error', '-y', '-f', 'lavfi', '-i', 'anullsrc', '-f', 'wav'];
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'large.wav');
  await expect(runLimited(...writing, path)).rejects.toMatchObject({
    permanent: true,
    message: 'The recording decodes to far more data than a file of its size should.',
  });
  expect((await stat(path)).size).toBeLessThanOrEqual(100_352);
});

it('a program that is not installed is reported as such, under limits too', async () => {
  const missing = runCommand('no-such-program', [], { signal: new AbortController().signal, timeoutMs: 1000, limits });
  await expect(missing).rejects.toMatchObject({ kind: 'missing' });
});
