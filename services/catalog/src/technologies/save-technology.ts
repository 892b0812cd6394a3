import { slugOf } from '@interview-prep/contracts/catalog/technologies';
import { badRequest, conflict, notFound } from '@interview-prep/kit/http/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import { trusted } from 'mongoose';
import type { TechnologyDocument, TechnologyModel } from './model.ts';
import { nameKey } from './name-key.ts';

/** Leaves room for a number within a slug's maximum length. */
const slugMaxLength = 90;

/** For names without letters or digits, like '🚀'. */
const fallbackSlug = 'technology';

/** How often another slug is tried when a request at the same moment took it. */
const maxRetries = 20;

/**
 * Adds a technology. Its slug is made from the name, with a number if another technology has or had that slug. A deleted name
 * that is added again gets its old slug back, and with it its sets.
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

/** Renames a technology; the slug stays. @throws HttpError 404, or 409 if another one has the name */
export async function renameTechnology(model: TechnologyModel, id: string, name: string): Promise<TechnologyDocument> {
  try {
    const renamed = await model.findOneAndUpdate(
      { _id: id, deletedAt: null },
      { $inc: bumpRevision.$inc, $set: { ...bumpRevision.$set, name, nameKey: keyOf(name) } },
      { returnDocument: 'after' },
    );
    if (!renamed) throw missing();
    return renamed;
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
