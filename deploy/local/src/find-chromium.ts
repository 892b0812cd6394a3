import COMMANDS from '../chromium-commands.json' with { type: 'json' };
import { findCommand } from './commands.ts';
import { StartupError } from './startup-error.ts';

/**
 * The browser for tests and benchmarks: the one that CHROMIUM names, else the first on the PATH.
 * @throws StartupError where there is none
 */
export function findChromium(): string {
  const path = process.env.CHROMIUM || findCommand(COMMANDS);
  if (path) return path;
  throw new StartupError(`No browser found: install ${COMMANDS.join(' or ')}, or set CHROMIUM to the path of one.`);
}
