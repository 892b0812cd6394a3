import { Binary, Double, Int32 } from 'bson';
import { type Doc, encode, isDoc } from '../bson/values.ts';
import { type CommandContext, collectionName, findCollection } from '../engine.ts';
import { mongoError, notSupported } from '../errors.ts';
import { parseFilter } from '../query/parse-filter.ts';
import type { Collection } from '../storage/collection.ts';
import type { CommandTable } from './definition.ts';
import { readBoolean, readCount, readDocument } from './fields.ts';
import { cursorReply } from './read-commands.ts';

function create(command: Doc, { engine, db }: CommandContext): Doc {
  const collation = command.collation;
  if (isDoc(collation) && collation.locale !== 'simple') throw notSupported('A collection with a default collation');
  const name = collectionName(command, 'create');
  // MongoDB returns ok if the collection exists with the same options. No options are supported here.
  engine.catalog.ensure(db, name);
  return {};
}

function drop(command: Doc, context: CommandContext): Doc {
  const collection = findCollection(command, 'drop', context);
  if (!collection) return {};
  const nIndexesWas = new Int32(collection.indexes.length);
  context.engine.catalog.drop(collection);
  return { nIndexesWas, ns: collection.namespace };
}

function dropDatabase(_command: Doc, { engine, db }: CommandContext): Doc {
  for (const collection of engine.catalog.list(db)) engine.catalog.drop(collection);
  return { dropped: db };
}

function renameCollection(command: Doc, { engine }: CommandContext): Doc {
  const [from, to] = [command.renameCollection, command.to].map((namespace) => splitNamespace(namespace));
  if (from!.db !== to!.db) throw notSupported('Renaming a collection into another database');
  const collection = engine.catalog.find(from!.db, from!.name);
  if (!collection) throw mongoError('NamespaceNotFound', `Source collection ${from!.db}.${from!.name} does not exist`);
  const taken = engine.catalog.find(to!.db, to!.name);
  if (taken && readBoolean(command, 'dropTarget')) engine.catalog.drop(taken);
  engine.catalog.rename(collection, to!.name);
  return {};
}

function splitNamespace(namespace: unknown): { db: string; name: string } {
  const dot = typeof namespace === 'string' ? namespace.indexOf('.') : -1;
  if (typeof namespace !== 'string' || dot < 1)
    throw mongoError('InvalidNamespace', `Invalid namespace: ${String(namespace)}`);
  return { db: namespace.slice(0, dot), name: namespace.slice(dot + 1) };
}

function listCollections(command: Doc, { engine, db }: CommandContext): Doc {
  const filter = parseFilter(readDocument(command, 'filter'));
  const nameOnly = readBoolean(command, 'nameOnly');
  const documents = engine.catalog
    .list(db)
    .map((collection) => describe(collection, nameOnly))
    .filter((doc) => filter.test(doc));
  const namespace = `${db}.$cmd.listCollections`;
  const batchSize = readCount(readDocument(command, 'cursor'), 'batchSize', Number.POSITIVE_INFINITY);
  return cursorReply(engine.cursors.start(namespace, documents.map(encode), { batchSize }), namespace, 'firstBatch');
}

function describe(collection: Collection, nameOnly: boolean): Doc {
  const head = { name: collection.name, type: 'collection' };
  if (nameOnly) return head;
  const idIndex = collection.indexes[0]!.spec;
  return { ...head, options: {}, info: { readOnly: false, uuid: new Binary(collection.uuid, 4) }, idIndex };
}

function listDatabases(command: Doc, { engine }: CommandContext): Doc {
  const filter = parseFilter(readDocument(command, 'filter'));
  const byName = new Map<string, Collection[]>();
  for (const collection of engine.catalog.list())
    byName.set(collection.db, [...(byName.get(collection.db) ?? []), collection]);
  const described = [...byName].map(([name, collections]): Doc => {
    if (readBoolean(command, 'nameOnly')) return { name };
    const sizeOnDisk = collections.reduce((sum, collection) => sum + collection.sizeBytes(), 0);
    return {
      name,
      sizeOnDisk: new Double(sizeOnDisk),
      empty: collections.every((collection) => collection.count() === 0),
    };
  });
  return { databases: described.filter((doc) => filter.test(doc)) };
}

const UNUSUAL_COLLECTIONS = [
  'capped',
  'size',
  'max',
  'timeseries',
  'viewOn',
  'pipeline',
  'validator',
  'clusteredIndex',
  'encryptedFields',
  'changeStreamPreAndPostImages',
  'expireAfterSeconds',
];

export const CATALOG_COMMANDS: CommandTable = {
  create: {
    fields: [
      'collation',
      'autoIndexId',
      'idIndex',
      'storageEngine',
      'indexOptionDefaults',
      'validationLevel',
      'validationAction',
    ],
    refuses: UNUSUAL_COLLECTIONS,
    writes: true,
    run: create,
  },
  drop: { fields: [], writes: true, run: drop },
  dropDatabase: { fields: [], writes: true, run: dropDatabase },
  renameCollection: { fields: ['to', 'dropTarget'], writes: true, run: renameCollection },
  listCollections: { fields: ['filter', 'nameOnly', 'cursor', 'authorizedCollections'], run: listCollections },
  listDatabases: { fields: ['filter', 'nameOnly', 'authorizedDatabases'], run: listDatabases },
};
