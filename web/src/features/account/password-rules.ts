import { limits } from '@interview-prep/contracts/limits';
import { messages } from '../../lib/messages.ts';

/** Why a new password is not taken; undefined where it is. Source: product specification, section 5. */
export function newPasswordError(password: string): string | undefined {
  if (password.length < limits.passwordMinLength) return messages.password.tooShort;
  if (password.length > limits.passwordMaxLength) return messages.password.tooLong;
  return undefined;
}

/** Why the second time typed is not taken: `mismatch` in the words of the form. */
export const repeatedPasswordError = (password: string, repeated: string, mismatch: string): string | undefined =>
  password === repeated ? undefined : mismatch;
