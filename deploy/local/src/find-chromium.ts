import COMMANDS from '../chromium-commands.json' with { type: 'json' };
import { findCommand } from './commands.ts';
import { StartupError } from './startup-error.ts';

/**
 * The browser for tests and benchmarks: the one that CHROMIUM names, else the first on the PATH.
 * @param preferHeadlessShell where Debian's build of Chromium without windows is installed, take that
 * @throws StartupError where there is none
 */
export function findChromium({ preferHeadlessShell = false } = {}): string {
  const path =
    process.env.CHROMIUM || findCommand([...(preferHeadlessShell ? ['chromium-headless-shell'] : []), ...COMMANDS]);
  if (path) return path;
  throw new StartupError(`No browser found: install ${COMMANDS.join(' or ')}, or set CHROMIUM to the path of one.`);
}
