import { z } from 'zod';
import { limits } from './limits.ts';

/**
 * A required line of text: trimmed, not blank, at most `max` characters; `label` begins its messages. Here and below the
 * limit comes before trimming: JSON Schema, which knows no trimming, describes the text as it was sent.
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

/** `{id}` in a path. */
export const idParams = z.object({ id: objectId });

/** An instant, ISO 8601 in UTC. */
export const timestamp = z.iso.datetime();

const emailTooLong = 'Email must be at most 254 characters';

/** An email address for signing in: trimmed and lower-cased, any format. */
export const email = z
  .string('Email is required')
  .max(limits.emailMaxLength, emailTooLong)
  .trim()
  .toLowerCase()
  .min(1, 'Email is required');

/** The format of an email address with the blanks around it that are trimmed, for JSON Schema. */
const untrimmedEmail = z.regexes.email.source.replace('^', '^\\s*').replace(/\$$/, '\\s*$');

/**
 * An email address that will receive mail or identify a new user: `email` in a valid format. It is one schema, not a pipe,
 * since JSON Schema describes only the beginning of a pipe.
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

/** A new password: 8 to 128 characters. @param blankMessage for an empty one; without it, that of a short one */
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

/** Terms that answers are likely to contain: trimmed, blanks dropped, doubles dropped. */
export const vocabulary = z
  .array(z.string().max(limits.termMaxLength, 'A term must be at most 60 characters').trim())
  .max(limits.termsPerSet * 5, 'Too many terms')
  .transform((list) => [...new Set(list.filter((term) => term !== ''))])
  .refine((list) => list.length <= limits.termsPerSet, 'Please use at most 100 terms');

/** A technology's slug: lower-case letters, digits and hyphens. */
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
