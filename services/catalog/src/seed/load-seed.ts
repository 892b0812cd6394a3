import { createHash } from 'node:crypto';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { type Connection, type Model, Schema, Types } from 'mongoose';
import type { Catalog } from '../catalog.ts';
import { choosePoints } from '../sets/choose-points.ts';
import type { SetRecord } from '../sets/model.ts';
import { nameKey } from '../technologies/model.ts';
import type { SeedFiles } from './seed-files.ts';

/** Marks a demonstration record as loaded. It is never loaded again, even after it was deleted. */
interface LoadedSeed {
  _id: string;
  loadedAt: Date;
}

const schema = new Schema<LoadedSeed>(
  { _id: { type: String, required: true }, loadedAt: { type: Date, required: true } },
  { collection: 'seeds' },
);

function loadedSeedModel(connection: Connection): Model<LoadedSeed, object, object> {
  return connection.model<LoadedSeed>('Seed', schema);
}

/** The id of a demonstration record, derived from its key, so that loading is idempotent. */
function seedId(key: string): Types.ObjectId {
  return new Types.ObjectId(createHash('sha256').update(key).digest('hex').slice(0, 24));
}

/** The demonstration's admin, as creator of its sets. */
const createdBy = { email: 'admin@example.com' };

/**
 * Loads demonstration records that were never loaded before, so that admins' edits and deletions persist. A technology
 * that an admin added under the same name or slug is not changed.
 * Lists show the newest set first, so the first set gets the latest time. Times count back from the very first load, which
 * keeps the order when two processes load at once or a later version adds sets.
 * @returns the number of loaded records
 */
export async function loadSeed(connection: Connection, catalog: Catalog, files: SeedFiles): Promise<number> {
  const seeds = loadedSeedModel(connection);
  const loaded = new Set((await seeds.find().lean()).map((seed) => seed._id));
  const firstLoadedAt = await firstLoad(seeds);

  /** Writes the record before its key. Repeating this after a crash in between is harmless: the id is fixed. */
  const once = async (key: string, write: () => Promise<unknown>): Promise<number> => {
    if (loaded.has(key)) return 0;
    await write().catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
    const $setOnInsert = { loadedAt: new Date() };
    await upsertById(() => seeds.updateOne({ _id: key }, { $setOnInsert }, { upsert: true }));
    return 1;
  };

  const { technologies, sets } = catalog;
  const seedSet = (kind: SetRecord['kind'], seed: SeedSet, answers: string[], place: number) => {
    const { key, title, technology, tags } = seed;
    const questions = seed.questions.map(({ question }) => question);
    const expertPoints = choosePoints(answers);
    const createdAt = new Date(firstLoadedAt.getTime() - place * 1000);
    return once(`${kind}:${key}`, () =>
      sets.create({
        _id: seedId(`${kind}:${key}`),
        kind,
        title,
        technologySlug: technology,
        questions,
        answers,
        tags,
        createdBy,
        createdAt,
        expertPoints,
      }),
    );
  };

  let count = 0;
  for (const { name, slug } of files.technologies) {
    const fields = { name, nameKey: nameKey(name), slug };
    count += await once(`technology:${slug}`, () =>
      technologies.create({ _id: seedId(`technology:${slug}`), ...fields }),
    );
  }
  for (const [place, seed] of files.interviewSets.entries()) {
    count += await seedSet(
      'interview',
      seed,
      seed.questions.map((question) => question.expertAnswer),
      place,
    );
  }
  for (const [place, seed] of files.practiceSets.entries()) {
    count += await seedSet(
      'practice',
      seed,
      seed.questions.map((question) => question.answer),
      place,
    );
  }
  return count;
}

/** The time of the very first load. */
async function firstLoad(seeds: Model<LoadedSeed>): Promise<Date> {
  const _id = 'first-load';
  await seeds.create({ _id, loadedAt: new Date() }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
  return (await seeds.findById(_id).orFail().lean()).loadedAt;
}

type SeedSet = { key: string; title: string; technology: string; tags: string[]; questions: { question: string }[] };
