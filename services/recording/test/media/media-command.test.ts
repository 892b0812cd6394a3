import { expect, it } from 'vitest';
import { runMediaCommand } from '../../src/media/media-command.ts';
import { runningFfmpegs } from '../setup/running-programs.ts';

const endless = ['-nostdin', '-v', 'error', '-re', '-f', 'lavfi', '-i', 'anullsrc', '-f', 'null', '-'];
const run = (...args: string[]) =>
  runMediaCommand('ffmpeg', args, { signal: new AbortController().signal, timeoutMs: 30_000 });

const interrupted = { name: 'MediaError', permanent: false, message: 'Reading the recording was interrupted.' };

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'an ffmpeg that is ended by %s says nothing about its recording',
  async (signal) => {
    const running = run(...endless);
    const failed = expect(running).rejects.toMatchObject(interrupted);
    await expect.poll(runningFfmpegs).toHaveLength(1);
    for (const pid of await runningFfmpegs()) process.kill(pid, signal);
    await failed;
  },
);

it('nor does one that exits with the status of a signal', async () => {
  // At its limit of computing time ffmpeg ends in the same way as upon SIGTERM.
  const limited = run('-timelimit', '1', ...endless.filter((argument) => argument !== '-re'));
  await expect(limited).rejects.toMatchObject({ ...interrupted, cause: { status: 255, killedBy: null } });
});

it('an ffmpeg that lacks an encoder is reported in words', async () => {
  const lacking = run(...endless.slice(0, -3), '-t', '1', '-c:a', 'no-such-encoder', '-f', 'null', '-');
  await expect(lacking).rejects.toMatchObject({ permanent: false, message: expect.stringContaining('encoder') });
});

it('an ffmpeg that rejects its recording does', async () => {
  const damaged = { name: 'MediaError', permanent: true, message: 'The recording is damaged and cannot be read.' };
  await expect(run('-nostdin', '-v', 'error', '-i', 'file:/dev/null', '-f', 'null', '-')).rejects.toMatchObject(
    damaged,
  );
});
