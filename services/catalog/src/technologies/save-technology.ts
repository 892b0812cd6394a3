import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { slugOf } from '@interview-prep/contracts/catalog/technologies';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { requireVersion, withRetries } from '@interview-prep/kit/http/edit-version';
import { badRequest, conflict, notFound } from '@interview-prep/kit/http/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import type { Request, Response } from 'express';
import { trusted } from 'mongoose';
import { nameKey, type TechnologyDocument, type TechnologyModel } from './model.ts';

/** Leaves room for a numeric suffix within a slug's maximum length. */
const slugMaxLength = 90;

/** For names without letters or digits, such as '🚀'. */
const fallbackSlug = 'technology';

/** Maximum number of slugs to try when concurrent requests take them. */
const maxRetries = 20;

/**
 * Adds a technology. Its slug is derived from the name, with a number if another technology has or had that slug. Adding a
 * deleted name again restores its old slug, and with it its sets.
 * @throws HttpError 409 if the name exists
 */
export async function createTechnology(model: TechnologyModel, name: string): Promise<TechnologyDocument> {
  const key = keyOf(name);
  for (let left = maxRetries; ; left -= 1) {
    const slug = await freeSlug(model, name, key);
    try {
      return await model.create({ name, nameKey: key, slug });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      if ('nameKey' in error.keyPattern) throw alreadyExists();
      if (left === 0) throw error;
    }
  }
}

/**
 * Renames a technology; the slug stays.
 * @throws HttpError 404, or 409 if another one has the name, or the version in If-Match is stale
 */
export async function renameTechnology(
  model: TechnologyModel,
  id: string,
  name: string,
  { req, res, user }: { req: Request; res: Response; user: Pick<TokenClaims, 'email'> },
): Promise<TechnologyDocument> {
  try {
    return await withRetries(async () => {
      const previous = await model.findOne({ _id: id, deletedAt: null }).lean();
      if (!previous) throw missing();
      const { name: before, revision, updatedBy, updatedAt } = previous;
      requireVersion(req, { name: before }, { by: updatedBy?.email ?? null, at: updatedAt });
      addToAudit(res, { details: { from: before, to: name } });
      return model.findOneAndUpdate(
        { _id: id, deletedAt: null, revision },
        {
          $inc: bumpRevision.$inc,
          $set: { ...bumpRevision.$set, name, nameKey: keyOf(name), updatedBy: { email: user.email } },
        },
        { returnDocument: 'after' },
      );
    });
  } catch (error) {
    throw isDuplicateKey(error) ? alreadyExists() : error;
  }
}

/** Deletes a technology; its sets show 'Unknown Technology' from then on. @throws HttpError 404 */
export async function deleteTechnology(model: TechnologyModel, id: string): Promise<TechnologyDocument> {
  const deleted = await model.findOneAndUpdate(
    { _id: id, deletedAt: null },
    { $inc: bumpRevision.$inc, $set: { ...bumpRevision.$set, deletedAt: new Date() } },
    { returnDocument: 'after' },
  );
  if (!deleted) throw missing();
  return deleted;
}

const missing = () => notFound('Technology not found');
const alreadyExists = () => conflict('Technology already exists');

function keyOf(name: string): string {
  const key = nameKey(name);
  if (key === '') {
    const message = 'Technology name cannot be empty';
    throw badRequest(message, [{ path: 'name', message }]);
  }
  return key;
}

async function freeSlug(model: TechnologyModel, name: string, key: string): Promise<string> {
  const previous = await model
    .findOne({ nameKey: key, deletedAt: trusted({ $ne: null }) })
    .sort({ deletedAt: -1 })
    .lean();
  if (previous && !(await model.exists({ slug: previous.slug, deletedAt: null }))) return previous.slug;

  const wanted = slugOf(name).slice(0, slugMaxLength).replace(/-+$/, '') || fallbackSlug;
  const taken = new Set(await model.distinct('slug', { slug: new RegExp(`^${wanted}(-\\d+)?$`) }));
  let slug = wanted;
  for (let number = 2; taken.has(slug); number += 1) slug = `${wanted}-${number}`;
  return slug;
}
