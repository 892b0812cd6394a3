import { spawn } from 'node:child_process';
import { type CommandLimits, limitedCommand, shellCannotStart } from './command-limits.ts';

export interface CommandOptions {
  /** Aborting it kills the process; the promise then rejects with the signal's reason. */
  signal: AbortSignal;
  timeoutMs: number;
  /** More output than this kills the process. */
  stdoutMaxBytes?: number;
  /** Resource limits; none by default. */
  limits?: CommandLimits;
  /** Words in stderr that mean failure even with status 0. */
  failureWords?: RegExp;
}

/** Why a command failed: it is not installed, took too long, wrote too much, or exited with a status other than 0. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly kind: 'missing' | 'timeout' | 'overflow' | 'status';
  /** How it ended, if `kind` is `status`: one of the two is null. 0 if only `failureWords` matched. */
  readonly status: number | null;
  readonly killedBy: NodeJS.Signals | null;
  /** The end of its stderr. */
  readonly stderr: string;
  readonly elapsedMs: number;

  constructor(
    kind: CommandError['kind'],
    message: string,
    stderr: string,
    end: { status?: number | null; killedBy?: NodeJS.Signals | null; elapsedMs?: number } = {},
  ) {
    super(message);
    this.kind = kind;
    this.stderr = stderr;
    this.status = end.status ?? null;
    this.killedBy = end.killedBy ?? null;
    this.elapsedMs = end.elapsedMs ?? 0;
  }
}

const stderrKeptBytes = 4096;
const stdoutDefaultMaxBytes = 32 * 1024 * 1024;

/**
 * Runs a command without a shell, with no input, and kills it (SIGKILL) on timeout, abort or too much output.
 * @returns its stdout
 * @throws CommandError, the signal's reason, or the system's error if no process can be started
 */
export async function runCommand(command: string, args: readonly string[], options: CommandOptions): Promise<string> {
  options.signal.throwIfAborted();
  const stdoutMaxBytes = options.stdoutMaxBytes ?? stdoutDefaultMaxBytes;
  const run = options.limits ? limitedCommand(command, args, options.limits) : { command, args };
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(run.command, run.args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const stdout: Buffer[] = [];
    let stdoutBytes = 0;
    let stderr = Buffer.alloc(0);
    let failure: unknown;
    const end = (reason: unknown) => {
      failure ??= reason;
      child.kill('SIGKILL');
    };
    const stderrText = () => stderr.toString().trim();
    const timer = setTimeout(
      () => end(new CommandError('timeout', `${command} took longer than ${options.timeoutMs} ms`, stderrText())),
      options.timeoutMs,
    );
    const onAbort = () => end(options.signal.reason);
    options.signal.addEventListener('abort', onAbort, { once: true });
    const settle = () => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', onAbort);
    };
    // With too many open files a child has no pipes; its error event reports that.
    child.stdout?.on('data', (chunk: Buffer) => {
      stdoutBytes += chunk.length;
      if (stdoutBytes > stdoutMaxBytes)
        end(new CommandError('overflow', `${command} wrote more than ${stdoutMaxBytes} bytes`, stderrText()));
      else stdout.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = Buffer.concat([stderr, chunk]).subarray(-stderrKeptBytes);
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      settle();
      const missing = error.code === 'ENOENT' || error.code === 'EACCES';
      reject(missing ? new CommandError('missing', `${command} could not be started: ${error.message}`, '') : error);
    });
    child.once('close', (status, killedBy) => {
      settle();
      if (failure !== undefined) reject(failure);
      else if (status === 0 && !options.failureWords?.test(stderrText())) resolve(Buffer.concat(stdout).toString());
      else if (options.limits && shellCannotStart.includes(status ?? 0))
        reject(new CommandError('missing', `${command} could not be started: ${stderrText()}`, stderrText()));
      else {
        const message = `${command} exited with ${killedBy ?? `status ${status}`}`;
        const elapsedMs = performance.now() - startedAt;
        reject(new CommandError('status', message, stderrText(), { status, killedBy, elapsedMs }));
      }
    });
  });
}
