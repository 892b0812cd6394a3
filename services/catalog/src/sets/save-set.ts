import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { badRequest, notFound } from '@interview-prep/kit/http/http-error';
import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import type { Catalog } from '../catalog.ts';
import type { SetDocument, SetModel, SetTiming, StoredOptions } from './model.ts';

/** What an admin sends for a set; `answers` and `expertPoints` are parallel to `questions`. */
export interface SetInput extends SetTiming, Omit<StoredOptions, keyof SetTiming> {
  title: string;
  /** Slug. */
  technology: string;
  questions: string[];
  answers: string[];
  expertPoints: ExpertPoint[][];
  tags: string[];
}

const missing: Record<SessionKind, string> = {
  interview: 'Interview set not found',
  practice: 'Practice set not found',
};

/** All sets of one kind, newest first. */
export function listSets(sets: SetModel, kind: SessionKind) {
  return sets.find({ kind, deletedAt: null }).sort({ createdAt: -1, _id: -1 }).lean();
}

/** @throws HttpError 404 */
export async function requireSet(sets: SetModel, kind: SessionKind, id: string) {
  const set = await sets.findOne({ _id: id, kind, deletedAt: null }).lean();
  if (!set) throw notFound(missing[kind]);
  return set;
}

/** Adds a set and publishes it. @throws HttpError 400 for an unknown technology */
export async function createSet(
  catalog: Catalog,
  kind: SessionKind,
  content: SetInput,
  creator: Pick<TokenClaims, 'email'>,
): Promise<SetDocument> {
  const { technology, ...rest } = content;
  await requireTechnology(catalog, technology);
  const set = await catalog.sets.create({
    ...rest,
    kind,
    technologySlug: technology,
    createdBy: { email: creator.email },
  });
  await catalog.setOutbox.publish(set);
  return set;
}

/** Replaces a set's content and publishes it. @throws HttpError 400 for an unknown technology, 404 */
export async function updateSet(
  catalog: Catalog,
  kind: SessionKind,
  id: string,
  content: SetInput,
): Promise<SetDocument> {
  const { technology, ...rest } = content;
  await requireTechnology(catalog, technology);
  // What the caller leaves out stays as it was.
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return changeSet(catalog, kind, id, { ...given, technologySlug: technology });
}

/** Deletes a set and publishes the deletion. Sessions that have begun keep their questions. @throws HttpError 404 */
export async function deleteSet(catalog: Catalog, kind: SessionKind, id: string): Promise<void> {
  await changeSet(catalog, kind, id, { deletedAt: new Date() });
}

async function changeSet(
  { sets, setOutbox }: Catalog,
  kind: SessionKind,
  id: string,
  fields: Record<string, unknown>,
): Promise<SetDocument> {
  const changed = await sets.findOneAndUpdate(
    { _id: id, kind, deletedAt: null },
    { $inc: bumpRevision.$inc, $set: { ...bumpRevision.$set, ...fields } },
    { returnDocument: 'after' },
  );
  if (!changed) throw notFound(missing[kind]);
  await setOutbox.publish(changed);
  return changed;
}

async function requireTechnology({ technologies }: Catalog, slug: string): Promise<void> {
  if (await technologies.exists({ slug, deletedAt: null })) return;
  const message = 'This technology is not known';
  throw badRequest(message, [{ path: 'technology', message }]);
}
