import { spawn } from 'node:child_process';

export interface CommandOptions {
  /** The process is ended where this aborts; the promise then rejects with the signal's reason. */
  signal: AbortSignal;
  timeoutMs: number;
  /** More output than this ends the process. */
  stdoutMaxBytes?: number;
}

/** Why a command failed: it is not there, took too long, said too much, or ended with a status other than 0. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly kind: 'missing' | 'timeout' | 'overflow' | 'status';
  /** What it ended with by itself, where kind is status: one of the two is null. */
  readonly status: number | null;
  readonly killedBy: NodeJS.Signals | null;
  /** The end of what it wrote to stderr. */
  readonly stderr: string;

  constructor(
    kind: CommandError['kind'],
    message: string,
    stderr: string,
    end: { status?: number | null; killedBy?: NodeJS.Signals | null } = {},
  ) {
    super(message);
    this.kind = kind;
    this.stderr = stderr;
    this.status = end.status ?? null;
    this.killedBy = end.killedBy ?? null;
  }
}

const stderrKeptBytes = 4096;
const stdoutDefaultMaxBytes = 32 * 1024 * 1024;

/**
 * Runs a command without a shell and gives what it wrote to stdout. Ends it (SIGKILL) on timeout, abort or too much
 * output. Nothing is written to its stdin. Throws CommandError, the signal's reason, or what the
 * system says where it has no room for another process.
 */
export const runCommand = async (
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<string> => {
  options.signal.throwIfAborted();
  const stdoutMaxBytes = options.stdoutMaxBytes ?? stdoutDefaultMaxBytes;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
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
    // Where no more files can be opened the child has no pipes, and says so by its error.
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
      else if (status === 0) resolve(Buffer.concat(stdout).toString());
      else {
        const message = `${command} ended with ${killedBy ?? `status ${status}`}`;
        reject(new CommandError('status', message, stderrText(), { status, killedBy }));
      }
    });
  });
};
