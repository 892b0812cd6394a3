import { createHash } from 'node:crypto';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { type Connection, type Model, Schema, Types } from 'mongoose';
import type { Catalog } from '../catalog.ts';
import { choosePoints } from '../sets/choose-points.ts';
import type { SetRecord } from '../sets/model.ts';
import { nameKey } from '../technologies/model.ts';
import type { SeedFiles } from './seed-files.ts';

/** A demonstration record that was loaded. It is never loaded again, even after it was deleted. */
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

/** The id of a demonstration record, derived from its key: loading it twice writes it once. */
function seedId(key: string): Types.ObjectId {
  return new Types.ObjectId(createHash('sha256').update(key).digest('hex').slice(0, 24));
}

/** The creator of the demonstration sets: the demonstration's admin. */
const createdBy = { email: 'admin@example.com' };

/**
 * Loads the demonstration records that were never loaded before. So what an admin edited or deleted stays that way, and a
 * technology that an admin added under the same name or slug is not changed.
 * Lists show the newest set first, so the first set gets the newest time. Times count back from the first load ever: two
 * processes at once, or a later version with more sets, keep the order.
 * @returns how many records were loaded
 */
export async function loadSeed(connection: Connection, catalog: Catalog, files: SeedFiles): Promise<number> {
  const seeds = loadedSeedModel(connection);
  const loaded = new Set((await seeds.find().lean()).map((seed) => seed._id));
  const firstLoadedAt = await firstLoad(seeds);

  /** Writes the record before its key. After a crash in between, writing again is harmless: the id is fixed. */
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

/** The time of the first load ever. */
async function firstLoad(seeds: Model<LoadedSeed>): Promise<Date> {
  const _id = 'first-load';
  await seeds.create({ _id, loadedAt: new Date() }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
  return (await seeds.findById(_id).orFail().lean()).loadedAt;
}

type SeedSet = { key: string; title: string; technology: string; tags: string[]; questions: { question: string }[] };
