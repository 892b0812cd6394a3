import { badRequest } from '@interview-prep/kit/http/http-error';
import type { BreachCheck } from './breached-passwords.ts';
import { passwordFault } from './password-fault.ts';

/** Refuses new passwords that are easy to guess. */
export interface PasswordPolicy {
  /**
   * @param owner whose password it is to be
   * @param path the field of the request
   * @throws HttpError 400 with the reason, for that field
   */
  require(password: string, owner: { email: string }, path: string): Promise<void>;
}

/** @param isBreached null without PASSWORD_BREACH_URL */
export function createPasswordPolicy(isBreached: BreachCheck | null): PasswordPolicy {
  return {
    async require(password, { email }, path) {
      const fault = passwordFault(password, email);
      const breached = fault === undefined && (await isBreached?.(password));
      const message = breached ? 'This password is known from a data breach elsewhere. Please choose another.' : fault;
      if (message !== undefined) throw badRequest(message, [{ path, message }]);
    },
  };
}
