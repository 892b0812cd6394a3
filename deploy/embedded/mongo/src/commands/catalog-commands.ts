import { Binary, Double, Int32 } from 'bson';
import { equalValues } from '../bson/compare.ts';
import { type Doc, encode, isDoc } from '../bson/values.ts';
import { type CommandContext, collectionName, findCollection } from '../engine.ts';
import { mongoError, notSupported } from '../errors.ts';
import { parseFilter } from '../query/parse-filter.ts';
import type { Collection, Index } from '../storage/collection.ts';
import { defineIndex } from '../storage/index-definition.ts';
import type { CommandTable } from './definition.ts';
import { readBoolean, readCount, readDocument, readDocuments } from './fields.ts';
import { cursorReply } from './read-commands.ts';

function createIndexes(command: Doc, { engine, db }: CommandContext): Doc {
  const definitions = readDocuments(command, 'indexes').map(defineIndex);
  const name = collectionName(command, 'createIndexes');
  const createdCollectionAutomatically = engine.catalog.find(db, name) === undefined;
  const collection = engine.catalog.ensure(db, name);
  const before = collection.indexes.length;
  const made = definitions.filter((definition) => engine.catalog.createIndex(collection, definition)).length;
  const note = made === 0 ? { note: 'all indexes already exist' } : {};
  return {
    numIndexesBefore: new Int32(before),
    numIndexesAfter: new Int32(collection.indexes.length),
    createdCollectionAutomatically,
    ...note,
  };
}

function dropIndexes(command: Doc, context: CommandContext): Doc {
  const collection = findCollection(command, 'dropIndexes', context);
  if (!collection)
    throw mongoError('NamespaceNotFound', `ns not found ${context.db}.${collectionName(command, 'dropIndexes')}`);
  const nIndexesWas = new Int32(collection.indexes.length);
  for (const index of chosenIndexes(collection, command.index)) context.engine.catalog.dropIndex(collection, index);
  return { nIndexesWas };
}

function chosenIndexes(collection: Collection, chosen: unknown): Index[] {
  if (chosen === '*') return collection.indexes.slice(1);
  const wanted: unknown[] = Array.isArray(chosen) ? chosen : [chosen];
  return wanted.map((each) => {
    const index = collection.indexes.find(({ name, spec }) =>
      isDoc(each) ? equalValues(spec.key, each) : name === each,
    );
    if (!index)
      throw mongoError(
        'IndexNotFound',
        isDoc(each)
          ? `can't find index with key: ${JSON.stringify(each)}`
          : `index not found with name [${String(each)}]`,
      );
    if (index === collection.indexes[0]) throw mongoError('InvalidOptions', 'cannot drop _id index');
    return index;
  });
}

function listIndexes(command: Doc, context: CommandContext): Doc {
  const collection = findCollection(command, 'listIndexes', context);
  const namespace = `${context.db}.${collectionName(command, 'listIndexes')}`;
  if (!collection) throw mongoError('NamespaceNotFound', `ns does not exist: ${namespace}`);
  const documents = collection.indexes.map((index) => encode({ ...index.spec, v: new Int32(2) }));
  const batchSize = readCount(readDocument(command, 'cursor'), 'batchSize', Number.POSITIVE_INFINITY);
  return cursorReply(context.engine.cursors.start(namespace, documents, { batchSize }), namespace, 'firstBatch');
}

export const INDEX_COMMANDS: CommandTable = {
  createIndexes: { fields: ['indexes', 'commitQuorum'], writes: true, run: createIndexes },
  dropIndexes: { fields: ['index'], writes: true, run: dropIndexes },
  listIndexes: { fields: ['cursor'], run: listIndexes },
};

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
