import { limits } from '@interview-prep/contracts/api/limits';
import { dictionary } from '@zxcvbn-ts/language-common';

/** A password as it is compared to a list: what differs only in case, in the keyboard or in blanks around it is the same. */
export function foldedPassword(password: string): string {
  return password.normalize('NFKC').toLowerCase().trim();
}

/** The 49,000 commonest passwords, without those that are too short for this product anyway. */
const commonPasswords: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= limits.passwordMinLength),
);

/** Whether many people use this password, whatever its case. */
export function isCommonPassword(password: string): boolean {
  return commonPasswords.has(foldedPassword(password));
}
