import { Int32 } from 'bson';
import { equalValues } from '../bson/compare.ts';
import { type Doc, encode, isDoc } from '../bson/values.ts';
import { type CommandContext, collectionName, findCollection } from '../engine.ts';
import { mongoError } from '../errors.ts';
import type { Collection, Index } from '../storage/collection.ts';
import { defineIndex } from '../storage/index-definition.ts';
import type { CommandTable } from './definition.ts';
import { readCount, readDocument, readDocuments } from './fields.ts';
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
