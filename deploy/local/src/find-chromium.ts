import COMMANDS from '../chromium-commands.json' with { type: 'json' };
import { findCommand } from './commands.ts';
import { StartupError } from './startup-error.ts';

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
