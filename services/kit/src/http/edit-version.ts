import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { conflict, HttpError } from './http-error.ts';

/** The editable fields of a resource, in a stable order, including derived fields. */
export type EditedFields = Readonly<Record<string, unknown>>;

const shortHash = (value: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('base64url')
    .slice(0, 8);

/** The version of an editable resource: a short hash of each field, so that a conflict can name the changed ones. */
export function versionOf(fields: EditedFields): string {
  return Object.values(fields).map(shortHash).join('.');
}

/** The names of the fields that differ from a version; all of them if the version covers different fields. */
export function changedSince(version: string, fields: EditedFields): string[] {
  const before = version.split('.');
  const names = Object.keys(fields);
  if (before.length !== names.length) return names;
  return names.filter((name, index) => shortHash(fields[name]) !== before[index]);
}

/** 'expertAnswers' → 'expert answers' */
const inWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/**
 * Refuses an edit based on an older version than the stored one. Without If-Match, or with `*`, the edit always overwrites.
 * Call it inside `withRetries` with the document that was read, and write only if that is unchanged.
 * @param last who saved the stored version, and when
 * @param replaced the fields that the edit replaces, since changes to other fields don't conflict; all fields by default
 * @throws HttpError 409 with the fields that differ in `details`
 */
export function requireVersion(
  req: Pick<Request, 'get'>,
  fields: EditedFields,
  last: { by: string | null; at: Date },
  replaced: readonly string[] = Object.keys(fields),
): void {
  const wanted = req.get('if-match')?.replace(/^(?:W\/)?"(.*)"$/, '$1');
  if (wanted === undefined || wanted === '*') return;
  const changed = changedSince(wanted, fields).filter((name) => replaced.includes(name));
  if (changed.length === 0) return;
  const message = `${last.by ?? 'Someone else'} has changed this in the meantime: ${changed.map(inWords).join(', ')}`;
  throw new HttpError(409, 'edit_conflict', message, {
    details: changed.map((path) => ({ path, message: 'Changed in the meantime' })),
    conflict: { by: last.by, at: last.at.toISOString(), version: versionOf(fields) },
  });
}

/**
 * Repeats an edit (read, check, write) if another request wrote in between.
 * @param edit resolves to null if the filter of its write, such as `{ _id, revision }`, no longer matched
 */
export async function withRetries<Result>(edit: () => Promise<Result | null>): Promise<Result> {
  for (let left = 20; left > 0; left -= 1) {
    const result = await edit();
    if (result !== null) return result;
  }
  throw conflict('This is being changed by others right now. Please try again.');
}
