import { limits } from '@interview-prep/contracts/limits';
import { messages } from '../../lib/messages.ts';

/** Why a new password is invalid; undefined if it is valid. Source: product specification, section 5. */
export function newPasswordError(password: string): string | undefined {
  if (password.length < limits.passwordMinLength) return messages.password.tooShort;
  if (password.length > limits.passwordMaxLength) return messages.password.tooLong;
  return undefined;
}

/** `mismatch` if the repeated password differs. */
export function repeatedPasswordError(password: string, repeated: string, mismatch: string): string | undefined {
  return password === repeated ? undefined : mismatch;
}
