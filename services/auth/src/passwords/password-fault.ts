import { limits } from '@interview-prep/contracts/api/limits';
import { dictionary } from '@zxcvbn-ts/language-common';

/** A password as it is compared to a list: what differs only in case, in the keyboard or in blanks around it is the same. */
function foldedPassword(password: string): string {
  return password.normalize('NFKC').toLowerCase().trim();
}

/** The 49,000 commonest passwords, without those that are too short for this product anyway. */
const commonPasswords: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= limits.passwordMinLength),
);

/** Whether many people use this password, whatever its case. */
function isCommonPassword(password: string): boolean {
  return commonPasswords.has(foldedPassword(password));
}

/** Shorter parts of an email occur in ordinary words. */
const ownWordMinLength = 4;

/** The product's own words. A password needs more than these with digits and signs. */
const productWords = /interview|preparation|platform/g;

/** How many letters a password needs in addition to the product's words. */
const ownLettersMin = 4;

/** The email, what is before its @, and the words of that. */
function wordsOf(email: string): string[] {
  const folded = email.toLowerCase();
  const [name = ''] = folded.split('@');
  return [folded, name, ...name.split(/[^\p{L}]+/u)].filter((word) => word.length >= ownWordMinLength);
}

/** Why a new password is too easy to guess for the account with this email; undefined where it is not. */
export function passwordFault(password: string, email: string): string | undefined {
  const folded = foldedPassword(password);
  if (isCommonPassword(folded)) return 'This password is too common. Please choose another.';
  if (wordsOf(email).some((word) => folded.includes(word)))
    return 'A password must not contain the name or the email of its owner.';
  const rest = folded.replaceAll(productWords, '');
  if (rest !== folded && rest.replaceAll(/\P{L}/gu, '').length < ownLettersMin)
    return 'This password is too easy to guess. Please choose another.';
  return undefined;
}
