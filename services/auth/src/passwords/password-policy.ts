import { limits } from '@interview-prep/contracts/api/limits';
import { invalidField } from '@interview-prep/kit/http/http-error';
import { dictionary } from '@zxcvbn-ts/language-common';
import type { BreachCheck } from './breached-passwords.ts';

/** The 49,000 most common passwords, except those that are too short for this product anyway. */
const commonPasswords: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= limits.passwordMinLength),
);

/** Shorter parts of an email occur in ordinary words. */
const ownWordMinLength = 4;

/** The product's own words, which don't count toward a password's letters. */
const productWords = /interview|preparation|platform/g;

/** The minimum number of letters besides the product's words. */
const ownLettersMin = 4;

/** The email, its part before the @, and the words in that part. */
function wordsOf(email: string): string[] {
  const folded = email.toLowerCase();
  const [name = ''] = folded.split('@');
  return [folded, name, ...name.split(/[^\p{L}]+/u)].filter((word) => word.length >= ownWordMinLength);
}

/** Why a new password is too easy to guess for the account with this email; undefined if it isn't. */
export function passwordFault(password: string, email: string): string | undefined {
  // Ignore case, Unicode form and surrounding whitespace.
  const folded = password.normalize('NFKC').toLowerCase().trim();
  if (commonPasswords.has(folded)) return 'This password is too common. Please choose another.';
  if (wordsOf(email).some((word) => folded.includes(word)))
    return 'A password must not contain the name or the email of its owner.';
  const rest = folded.replaceAll(productWords, '');
  if (rest !== folded && rest.replaceAll(/\P{L}/gu, '').length < ownLettersMin)
    return 'This password is too easy to guess. Please choose another.';
  return undefined;
}

/** Rejects new passwords that are easy to guess. */
export interface PasswordPolicy {
  /**
   * @param owner the user who will have the password
   * @param path the request's field
   * @throws HttpError 400 for that field, with the reason
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
      if (message !== undefined) throw invalidField(path, message);
    },
  };
}
