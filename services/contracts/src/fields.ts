import { z } from 'zod';
import { limits } from './limits.ts';

/** A required line of text: trimmed, not blank, at most `max` characters; `label` begins its messages. */
export function requiredText(label: string, max: number, blankMessage = `${label} is required`) {
  return z
    .string(blankMessage)
    .trim()
    .min(1, blankMessage)
    .max(max, `${label} must be at most ${max.toLocaleString('en-US')} characters`);
}

/** A MongoDB ObjectId as 24 hexadecimal digits. */
export const objectId = z.string().regex(/^[0-9a-f]{24}$/i, 'This id is not valid');

/** `{id}` in a path. */
export const idParams = z.object({ id: objectId });

/** An instant, ISO 8601 in UTC. */
export const timestamp = z.iso.datetime();

const emailTooLong = 'Email must be at most 254 characters';

/** An email address for signing in: trimmed and lower-cased, any format. */
export const email = z
  .string('Email is required')
  .trim()
  .toLowerCase()
  .min(1, 'Email is required')
  .max(limits.emailMaxLength, emailTooLong);

/**
 * An email address that will receive mail or identify a new user: `email` in a valid format. It is one schema, not a pipe,
 * since JSON Schema describes only the beginning of a pipe.
 */
export function deliverableEmail(blankMessage = 'Email is required') {
  return z
    .string(blankMessage)
    .trim()
    .toLowerCase()
    .min(1, { error: blankMessage, abort: true })
    .max(limits.emailMaxLength, { error: emailTooLong, abort: true })
    .check(z.email('Please enter a valid email address'));
}

/** A new password: 8 to 128 characters. @param blankMessage for an empty one; without it, that of a short one */
export function newPassword(blankMessage?: string) {
  const text = z.string(blankMessage ?? 'Password is required');
  const filled = blankMessage === undefined ? text : text.min(1, { error: blankMessage, abort: true });
  return filled
    .min(limits.passwordMinLength, 'Password must be at least 8 characters long.')
    .max(limits.passwordMaxLength, 'Password must be at most 128 characters long.');
}

/** Terms that answers are likely to contain: trimmed, blanks dropped, doubles dropped. */
export const vocabulary = z
  .array(z.string().trim().max(limits.termMaxLength, 'A term must be at most 60 characters'))
  .max(limits.termsPerSet * 5, 'Too many terms')
  .transform((list) => [...new Set(list.filter((term) => term !== ''))])
  .refine((list) => list.length <= limits.termsPerSet, 'Please use at most 100 terms');

/** A technology's slug: lower-case letters, digits and hyphens. */
export const slug = z
  .string('Technology is required')
  .trim()
  .min(1, 'Technology is required')
  .max(limits.nameMaxLength, 'This technology is not known');

/** Tags: trimmed, without blanks and duplicates. */
export const tags = z
  .array(z.string().trim().max(limits.tagMaxLength, 'A tag must be at most 50 characters'))
  .max(limits.tagsPerSet * 5, 'Too many tags')
  .transform((list) => [...new Set(list.filter((tag) => tag !== ''))])
  .refine((list) => list.length <= limits.tagsPerSet, 'Please use at most 20 tags')
  .default([]);
