import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import COMMANDS from '../chromium-commands.json' with { type: 'json' };
import { StartupError } from './settings.ts';

function isExecutable(path: string): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // This user cannot read or run it; a later folder on the PATH may have one that they can.
    return false;
  }
}

/** The path of the first of these commands that is on the PATH. */
export function findCommand(names: readonly string[]): string | undefined {
  return names
    .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
    .find(isExecutable);
}

/**
 * The browser for tests and benchmarks: CHROMIUM if set, else the first one on the PATH.
 * @param preferHeadlessShell whether to prefer Debian's headless build of Chromium if it is installed
 * @throws StartupError if there is none
 */
export function findChromium({ preferHeadlessShell = false } = {}): string {
  const path =
    process.env.CHROMIUM || findCommand([...(preferHeadlessShell ? ['chromium-headless-shell'] : []), ...COMMANDS]);
  if (path) return path;
  throw new StartupError(`No browser found: install ${COMMANDS.join(' or ')}, or set CHROMIUM to the path of one.`);
}
