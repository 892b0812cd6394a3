/**
 * Resource limits of a command. The kernel enforces these limits: a command that reaches one is ended, or its call fails. They are
 * POSIX's, so that `npm start` and the image have the same.
 */
export interface CommandLimits {
  /** Processor time of all its threads. The command is killed at the limit. */
  cpuSeconds: number;
  /** Memory of its own, without the libraries that it maps. macOS does not enforce this limit. */
  memoryBytes: number;
  /** Each file that it writes. The command gets SIGXFSZ beyond. Rounded up to 512 bytes. */
  fileBytes: number;
  openFiles: number;
}

/** In the order of the script's parameters. A shell counts files in blocks of 512 bytes, memory in kibibytes. */
const script = [
  'ulimit -c 0',
  'ulimit -f "$1"',
  'ulimit -d "$2"',
  'ulimit -n "$3"',
  // The hard limit too: ffmpeg would take SIGXCPU for a wish to stop, as SIGTERM.
  'ulimit -t "$4"',
  'shift 4',
  'exec "$@"',
].join(' && ');

/** A shell's exit status where a program can't be run, or can't be found. */
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
