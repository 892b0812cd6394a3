import type { Role, TokenClaims } from '@interview-prep/contracts/auth/users';
import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import type { SetListQuery, SetStatus } from '@interview-prep/contracts/catalog/sets';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import {
  changedSince,
  type EditedFields,
  requireVersion,
  versionOf,
  withRetries,
} from '@interview-prep/kit/http/edit-version';
import { badRequest, notFound } from '@interview-prep/kit/http/http-error';
import { afterPlace, decodeCursor, encodeCursor } from '@interview-prep/kit/mongo/keyset';
import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import type { Request, Response } from 'express';
import type { Catalog } from '../catalog.ts';
import {
  editedFieldsOf,
  type SetDocument,
  type SetModel,
  type SetRecord,
  type SetTiming,
  type StoredOptions,
} from './model.ts';

/** An admin's input for a set; `answers` and `expertPoints` are parallel to `questions`. */
export interface SetInput extends SetTiming, Omit<StoredOptions, keyof SetTiming> {
  title: string;
  /** Slug. */
  technology: string;
  questions: string[];
  answers: string[];
  expertPoints: ExpertPoint[][];
  tags: string[];
  status?: SetStatus | undefined;
}

const missing: Record<SessionKind, string> = {
  interview: 'Interview set not found',
  practice: 'Practice set not found',
};

/** A page of the sets of one kind, newest first. Only admins see unpublished ones. */
export async function listSets(
  sets: SetModel,
  kind: SessionKind,
  { status, technology, limit, cursor }: SetListQuery,
  role: Role,
) {
  const shown = role === 'admin' ? status : 'published';
  const filter = {
    kind,
    deletedAt: null,
    ...(shown === 'all' ? {} : { status: shown }),
    ...(technology ? { technologySlug: technology } : {}),
  };
  const find = sets.find(cursor === undefined ? filter : { ...filter, ...afterPlace(decodeCursor(cursor)) });
  if (limit !== undefined) find.limit(limit + 1);
  const found = await find.sort({ createdAt: -1, _id: -1 }).lean();
  const page = limit === undefined ? found : found.slice(0, limit);
  const last = page.at(-1);
  return {
    sets: page,
    nextCursor: last && found.length > page.length ? encodeCursor(last) : null,
    total: limit === undefined && cursor === undefined ? found.length : await sets.countDocuments(filter),
  };
}

/** @throws HttpError 404; for non-admins also if the set is not published */
export async function requireSet(sets: SetModel, kind: SessionKind, id: string, role: Role = 'admin') {
  const set = await sets.findOne({ _id: id, kind, deletedAt: null }).lean();
  if (!set || (role !== 'admin' && set.status !== 'published')) throw notFound(missing[kind]);
  return set;
}

/** Adds a set and publishes it to recording. @throws HttpError 400 for an unknown technology */
export async function createSet(
  catalog: Catalog,
  kind: SessionKind,
  content: SetInput,
  creator: Pick<TokenClaims, 'email'>,
): Promise<SetDocument> {
  const { technology, status = 'published', ...rest } = content;
  await requireTechnology(catalog, technology);
  const set = await catalog.sets.create({
    ...rest,
    kind,
    status,
    closedAt: status === 'published' ? null : new Date(0),
    technologySlug: technology,
    createdBy: { email: creator.email },
  });
  await catalog.setOutbox.publish(set);
  return set;
}

/** An edit of the set with this id by the request's user. */
export interface SetEdit {
  kind: SessionKind;
  id: string;
  req: Request;
  res: Response;
  user: Pick<TokenClaims, 'email'>;
}

/**
 * Changes a set and publishes it to recording. Fields missing from `content` stay unchanged.
 * @throws HttpError 400 for an unknown technology, 404, or 409 if the version in If-Match is stale
 */
export function updateSet(
  catalog: Catalog,
  edit: SetEdit,
  content: (previous: SetRecord) => Partial<SetInput>,
): Promise<SetDocument> {
  const { kind, id, req, res, user } = edit;
  return withRetries(async () => {
    const previous = await requireSet(catalog.sets, kind, id);
    const { revision, updatedBy, createdBy, updatedAt } = previous;
    const before = editedFieldsOf(previous);
    requireVersion(req, before, { by: (updatedBy ?? createdBy)?.email ?? null, at: updatedAt });
    const { technology = previous.technologySlug, ...rest } = content(previous);
    const status = rest.status ?? previous.status;
    // Unpublished sets may keep a deleted technology; published ones need an existing one.
    if (status === 'published' || technology !== previous.technologySlug) await requireTechnology(catalog, technology);
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    const closedAt = status === 'published' ? null : (previous.closedAt ?? new Date());
    const fields = { ...given, status, closedAt, technologySlug: technology, updatedBy: { email: user.email } };
    const changed = await writeSet(catalog, { _id: id, kind, deletedAt: null, revision }, fields);
    if (changed) {
      addToAudit(res, { details: { kind, ...describeChanges(before, editedFieldsOf(changed.toObject())) } });
    }
    return changed;
  });
}

const shown = (value: unknown) => (value === undefined || value === null ? 'none' : String(value)).slice(0, 90);

/** Whether a field says more than a missing one: forms send what is left blank as an empty list or as false. */
const isSet = (value: unknown) => Boolean(Array.isArray(value) ? value.length : value || value === 0);

/** An edit's changes, before and after, for the audit log: short values in full, lists as counts. */
function describeChanges(before: EditedFields, after: EditedFields): Record<string, string> {
  const describe = (was: unknown, is: unknown) => {
    if (!Array.isArray(was) || !Array.isArray(is)) return `${shown(was)} → ${shown(is)}`;
    if (was.length !== is.length) return `${was.length} → ${is.length}`;
    const changed = is.filter((value, at) => JSON.stringify(value) !== JSON.stringify(was[at]));
    return `${changed.length} of ${is.length} changed`;
  };
  const names = changedSince(versionOf(before), after).filter((name) => isSet(before[name]) || isSet(after[name]));
  return Object.fromEntries(names.map((name) => [name, describe(before[name], after[name])]));
}

/** Deletes a set and publishes the deletion. Started sessions keep their questions. @throws HttpError 404 */
export async function deleteSet(
  catalog: Catalog,
  { kind, id, res }: Pick<SetEdit, 'kind' | 'id' | 'res'>,
): Promise<void> {
  const deleted = await writeSet(catalog, { _id: id, kind, deletedAt: null }, { deletedAt: new Date() });
  if (!deleted) throw notFound(missing[kind]);
  addToAudit(res, { details: { kind, title: shown(deleted.title) } });
}

async function writeSet(
  { sets, setOutbox }: Catalog,
  filter: object,
  fields: Record<string, unknown>,
): Promise<SetDocument | null> {
  const changed = await sets.findOneAndUpdate(
    filter,
    { $inc: bumpRevision.$inc, $set: { ...bumpRevision.$set, ...fields } },
    { returnDocument: 'after' },
  );
  if (changed) await setOutbox.publish(changed);
  return changed;
}

async function requireTechnology({ technologies }: Catalog, slug: string): Promise<void> {
  if (await technologies.exists({ slug, deletedAt: null })) return;
  const message = 'This technology is not known';
  throw badRequest(message, [{ path: 'technology', message }]);
}
