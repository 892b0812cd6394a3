import { z } from 'zod';
import { limits } from './limits.ts';

/**
 * A required line of text: trimmed, not blank, at most `max` characters; `label` starts its error messages. Here and below the
 * limit applies before trimming: JSON Schema can't express trimming, so it describes the text as sent.
 */
export function requiredText(label: string, max: number, blankMessage = `${label} is required`) {
  return z
    .string(blankMessage)
    .max(max, `${label} must be at most ${max.toLocaleString('en-US')} characters`)
    .trim()
    .min(1, blankMessage);
}

/** A MongoDB ObjectId as 24 hexadecimal digits. */
export const objectId = z.string('An id is required').regex(/^[0-9a-fA-F]{24}$/, 'This id is not valid');

/** Path parameters of `/{id}` routes. */
export const idParams = z.object({ id: objectId });

/** An instant, ISO 8601 in UTC. */
export const timestamp = z.iso.datetime();

const emailTooLong = 'Email must be at most 254 characters';

/** An email address to sign in with: trimmed and lowercased; the format is not checked. */
export const email = z
  .string('Email is required')
  .max(limits.emailMaxLength, emailTooLong)
  .trim()
  .toLowerCase()
  .min(1, 'Email is required');

/** The format of an email address with surrounding whitespace, for JSON Schema. */
const untrimmedEmail = z.regexes.email.source.replace('^', '^\\s*').replace(/\$$/, '\\s*$');

/**
 * An email address that will receive mail or identify a new user; the format is checked. One schema rather than a pipe, because
 * JSON Schema would describe only the first half of a pipe.
 */
export function deliverableEmail(blankMessage = 'Email is required') {
  return z
    .string(blankMessage)
    .max(limits.emailMaxLength, { error: emailTooLong, abort: true })
    .trim()
    .toLowerCase()
    .min(1, { error: blankMessage, abort: true })
    .check(z.email('Please enter a valid email address'))
    .meta({ pattern: untrimmedEmail });
}

/** A new password: 8 to 128 characters. @param blankMessage the message for an empty password; defaults to the one for a short one */
export function newPassword(blankMessage?: string) {
  const text = z.string(blankMessage ?? 'Password is required');
  const filled = blankMessage === undefined ? text : text.min(1, { error: blankMessage, abort: true });
  const tooShort = 'Password must be at least 8 characters long.';
  return (
    filled
      .min(limits.passwordMinLength, { error: tooShort, abort: true })
      // `min` counts an emoji as two characters.
      .refine((password) => [...password].length >= limits.passwordMinLength, tooShort)
      .max(limits.passwordMaxLength, 'Password must be at most 128 characters long.')
  );
}

/** Terms that answers are likely to contain: trimmed, without blanks and duplicates. */
export const vocabulary = z
  .array(z.string().max(limits.termMaxLength, 'A term must be at most 60 characters').trim())
  .max(limits.termsPerSet * 5, 'Too many terms')
  .transform((list) => [...new Set(list.filter((term) => term !== ''))])
  .refine((list) => list.length <= limits.termsPerSet, 'Please use at most 100 terms');

/** A technology's slug: lowercase letters, digits and hyphens. */
export const slug = z
  .string('Technology is required')
  .max(limits.nameMaxLength, 'This technology is not known')
  .trim()
  .min(1, 'Technology is required');

/** Tags: trimmed, without blanks and duplicates. */
export const tags = z
  .array(z.string().max(limits.tagMaxLength, 'A tag must be at most 50 characters').trim())
  .max(limits.tagsPerSet * 5, 'Too many tags')
  .transform((list) => [...new Set(list.filter((tag) => tag !== ''))])
  .refine((list) => list.length <= limits.tagsPerSet, 'Please use at most 20 tags')
  .default([]);
