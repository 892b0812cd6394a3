import { describe, expect, it } from 'vitest';
import { runCommand } from '../../src/media/run-command.ts';

const script = (code: string, options: Partial<Parameters<typeof runCommand>[2]> = {}) =>
  runCommand(process.execPath, ['-e', code], { signal: new AbortController().signal, timeoutMs: 20_000, ...options });

describe('runCommand', () => {
  it('returns the output', async () => {
    expect(await script('process.stdout.write("a b")')).toBe('a b');
  });

  it("keeps the end of a failing command's stderr", async () => {
    const failing = script('process.stderr.write("x".repeat(100_000) + "the reason"); process.exitCode = 3');
    await expect(failing).rejects.toMatchObject({
      kind: 'status',
      status: 3,
      killedBy: null,
      stderr: expect.stringMatching(/^x{1000,4096}the reason$/),
    });
  });

  it('distinguishes a command that was killed from one that failed', async () => {
    const killed = script('process.kill(process.pid, "SIGKILL")');
    await expect(killed).rejects.toMatchObject({ kind: 'status', status: null, killedBy: 'SIGKILL' });
  });

  it('fails, without ending the process, if no more files can be opened', async () => {
    const code = `
      const { runCommand } = await import(${JSON.stringify(new URL('../../src/media/run-command.ts', import.meta.url))});
      const { openSync } = await import('node:fs');
      try { for (;;) openSync('/dev/null'); } catch {}
      const running = runCommand('true', [], { signal: new AbortController().signal, timeoutMs: 20_000 });
      await running.catch((error) => process.stdout.write(error.code));`;
    const limited = ['-c', 'ulimit -n 60; exec "$0" --input-type=module -e "$1"', process.execPath, code];
    expect(await runCommand('sh', limited, { signal: new AbortController().signal, timeoutMs: 20_000 })).toBe('EMFILE');
  });

  it('kills a command that takes too long, writes too much or is aborted', async () => {
    const forever = 'setInterval(() => undefined, 1000)';
    await expect(script(forever, { timeoutMs: 200 })).rejects.toMatchObject({ kind: 'timeout' });
    const chatter = 'setInterval(() => process.stdout.write("x".repeat(1000)), 1)';
    await expect(script(chatter, { stdoutMaxBytes: 10_000 })).rejects.toMatchObject({ kind: 'overflow' });
    const aborter = new AbortController();
    const running = script(forever, { signal: aborter.signal });
    aborter.abort(new Error('not wanted'));
    await expect(running).rejects.toThrow('not wanted');
    await expect(script(forever, { signal: aborter.signal })).rejects.toThrow('not wanted');
  });

  it('reports a command that is not installed', async () => {
    const { signal } = new AbortController();
    await expect(runCommand('no-such-program', [], { signal, timeoutMs: 1000 })).rejects.toMatchObject({
      kind: 'missing',
    });
  });
});
