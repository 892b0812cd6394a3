/**
 * Resource limits of a command, enforced by the kernel: a command that reaches one is killed, or its call fails. They are
 * POSIX limits, so they are the same for `npm start` and in the image.
 */
export interface CommandLimits {
  /** CPU time of all its threads. The command is killed at the limit. */
  cpuSeconds: number;
  /** Private memory, without mapped libraries. macOS does not enforce this limit. */
  memoryBytes: number;
  /** The size of each file that it writes; beyond it the command gets SIGXFSZ. Rounded up to 512 bytes. */
  fileBytes: number;
  openFiles: number;
}

/** The units are the shell's: blocks of 512 bytes for files, kibibytes for memory. */
const script = [
  'ulimit -c 0',
  'ulimit -f "$1"',
  'ulimit -d "$2"',
  'ulimit -n "$3"',
  // Sets the hard limit too: ffmpeg treats SIGXCPU as a request to stop, like SIGTERM.
  'ulimit -t "$4"',
  'shift 4',
  'exec "$@"',
].join(' && ');

/** A shell's exit statuses for a program that can't be run, or can't be found. */
export const shellCannotStart: readonly number[] = [126, 127];

/** The command and the arguments that run another command under limits. It replaces the shell, and keeps its process id. */
export function limitedCommand(
  command: string,
  args: readonly string[],
  limits: CommandLimits,
): { command: string; args: string[] } {
  const { fileBytes, memoryBytes, openFiles, cpuSeconds } = limits;
  const values = [Math.ceil(fileBytes / 512), Math.ceil(memoryBytes / 1024), openFiles, cpuSeconds];
  return { command: 'sh', args: ['-c', script, 'sh', ...values.map(String), command, ...args] };
}
