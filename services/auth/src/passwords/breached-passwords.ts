import { createHash } from 'node:crypto';
import type { Logger } from '@interview-prep/kit/process/logger';

/** Short, since a user is waiting. */
const timeoutMs = 2000;

/** The length of the hash prefix sent to the server: hundreds of passwords share it. */
const prefixLength = 5;

/** Whether a password is known from a data breach. False while the server is unavailable. */
export type BreachCheck = (password: string) => Promise<boolean>;

/**
 * Queries a server of breached passwords. It learns only five characters of the password's SHA-1, and returns all hashes with
 * that prefix. If it is down, that is logged and the password passes: an outage must not lock anyone out.
 * @param url the address before the prefix, such as https://api.pwnedpasswords.com/range
 * @see https://haveibeenpwned.com/API/v3#SearchingPwnedPasswordsByRange
 */
export function createBreachCheck(url: string, log: Logger): BreachCheck {
  return async (password) => {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase();
    try {
      const response = await fetch(`${url.replace(/\/+$/, '')}/${hash.slice(0, prefixLength)}`, {
        // Pads responses, so that an eavesdropper can't infer the prefix from their length.
        headers: { 'Add-Padding': 'true' },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      const suffix = hash.slice(prefixLength);
      return (await response.text()).split(/\r?\n/).some((line) => {
        const [listed, count] = line.split(':');
        // Padding entries have a count of 0.
        return listed?.toUpperCase() === suffix && Number(count) > 0;
      });
    } catch (error) {
      log.warn({ err: error }, 'the check for breached passwords failed; the password was accepted');
      return false;
    }
  };
}
