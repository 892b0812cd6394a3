import type { Database } from './migrations.ts';

/** Documents changed per command: in a large collection, one command for all would run for minutes. */
const batchSize = 1000;

/** Renames a field in all documents of a collection. Documents that have the new field already keep it. */
export async function renameField(
  database: Database,
  { collection, from, to }: { collection: string; from: string; to: string },
): Promise<void> {
  const documents = database.collection(collection);
  for (;;) {
    const batch = await documents
      .find({ [from]: { $exists: true } }, { projection: { [from]: 1 } })
      .limit(batchSize)
      .toArray();
    if (batch.length === 0) return;
    // Don't use $rename, which would overwrite an existing field of the new name.
    await documents.bulkWrite(
      batch.flatMap(({ _id, [from]: value }) => [
        {
          updateOne: {
            filter: { _id, [from]: { $exists: true }, [to]: { $exists: false } },
            update: { $set: { [to]: value }, $unset: { [from]: 1 } },
          },
        },
        { updateOne: { filter: { _id, [to]: { $exists: true } }, update: { $unset: { [from]: 1 } } } },
      ]),
    );
  }
}

/** Replaces a value of a field in all documents of a collection. */
export async function replaceValue(
  database: Database,
  { collection, field, from, to }: { collection: string; field: string; from: string; to: string },
): Promise<void> {
  const documents = database.collection(collection);
  for (;;) {
    const batch = await documents
      .find({ [field]: from }, { projection: { _id: 1 } })
      .limit(batchSize)
      .toArray();
    if (batch.length === 0) return;
    const _id = { $in: batch.map((document) => document._id) };
    await documents.updateMany({ _id, [field]: from }, { $set: { [field]: to } });
  }
}

/** Renames a collection with its indexes. If the new one already exists, copies the documents that it lacks. */
export async function renameCollection(database: Database, { from, to }: { from: string; to: string }): Promise<void> {
  const exists = async (name: string) => (await database.listCollections({ name }).toArray()).length > 0;
  if (!(await exists(from))) return;
  if (!(await exists(to))) {
    try {
      await database.renameCollection(from, to);
      return;
    } catch (error) {
      // Another process just renamed it.
      if (!(await exists(to))) throw error;
      if (!(await exists(from))) return;
    }
  }
  for await (const { _id, ...fields } of database.collection(from).find()) {
    await database.collection(to).updateOne({ _id }, { $setOnInsert: fields }, { upsert: true });
  }
  await database.collection(from).drop();
}

/** Removes an index, by the fields it is on. */
export async function dropIndex(
  database: Database,
  { collection, key }: { collection: string; key: Record<string, 1 | -1> },
): Promise<void> {
  const found = await database.listCollections({ name: collection }).toArray();
  if (found.length === 0) return;
  const indexes = await database.collection(collection).indexes();
  const index = indexes.find((each) => JSON.stringify(each.key) === JSON.stringify(key));
  if (!index?.name) return;
  await database
    .collection(collection)
    .dropIndex(index.name)
    .catch(async (error: unknown) => {
      // Another process may have just dropped it.
      const left = await database.collection(collection).indexes();
      if (left.some(({ name }) => name === index.name)) throw error;
    });
}
