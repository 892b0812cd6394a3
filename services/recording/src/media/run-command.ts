import { spawn } from 'node:child_process';

export interface CommandOptions {
  /** The process is ended where this aborts; the promise then rejects with the signal's reason. */
  signal: AbortSignal;
  timeoutMs: number;
  /** More output than this ends the process. */
  stdoutMaxBytes?: number;
}

/** Why a command failed: it could not be started, took too long, said too much, or ended with a status other than 0. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly kind: 'missing' | 'timeout' | 'overflow' | 'status';
  /** The end of what it wrote to stderr. */
  readonly stderr: string;

  constructor(kind: CommandError['kind'], message: string, stderr: string) {
    super(message);
    this.kind = kind;
    this.stderr = stderr;
  }
}

const stderrKeptBytes = 4096;
const stdoutDefaultMaxBytes = 32 * 1024 * 1024;

/**
 * Runs a command without a shell and gives what it wrote to stdout. Ends it (SIGKILL) on timeout, abort or too much
 * output. Nothing is written to its stdin. Throws CommandError, or the signal's reason.
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
    child.stdout.on('data', (chunk: Buffer) => {
      stdoutBytes += chunk.length;
      if (stdoutBytes > stdoutMaxBytes)
        end(new CommandError('overflow', `${command} wrote more than ${stdoutMaxBytes} bytes`, stderrText()));
      else stdout.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = Buffer.concat([stderr, chunk]).subarray(-stderrKeptBytes);
    });
    child.once('error', (error) => {
      settle();
      reject(new CommandError('missing', `${command} could not be started: ${error.message}`, ''));
    });
    child.once('close', (code, killedBy) => {
      settle();
      if (failure !== undefined) reject(failure);
      else if (code === 0) resolve(Buffer.concat(stdout).toString());
      else reject(new CommandError('status', `${command} ended with ${killedBy ?? `status ${code}`}`, stderrText()));
    });
  });
};
