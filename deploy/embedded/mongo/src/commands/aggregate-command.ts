import { type AggregateRequest, aggregate } from '../aggregate-documents.ts';
import { type Doc, isDoc } from '../bson/values.ts';
import { type CommandContext, collectionName } from '../engine.ts';
import { mongoError, notSupported } from '../errors.ts';
import type { CommandTable } from './definition.ts';
import { readCount, readDocument } from './fields.ts';
import { cursorReply } from './read-commands.ts';

/** Parses an aggregate command. @throws {CommandError} TypeMismatch, CommandNotSupported without a collection */
export function readAggregate(command: Doc, { engine, db }: CommandContext): AggregateRequest {
  if (typeof command.aggregate !== 'string') throw notSupported('An aggregation without a collection');
  const { pipeline } = command;
  if (!Array.isArray(pipeline) || !pipeline.every(isDoc))
    throw mongoError('TypeMismatch', "'pipeline' option must be specified as an array of objects");
  return { catalog: engine.catalog, db, name: collectionName(command, 'aggregate'), pipeline };
}

function run(command: Doc, context: CommandContext): Doc {
  if (!isDoc(command.cursor))
    throw mongoError(
      'FailedToParse',
      "The 'cursor' option is required, except for aggregate with the explain argument",
    );
  const request = readAggregate(command, context);
  const namespace = `${request.db}.${request.name}`;
  const batchSize = readCount(readDocument(command, 'cursor'), 'batchSize', 101);
  return cursorReply(
    context.engine.cursors.start(namespace, aggregate(request), { batchSize }),
    namespace,
    'firstBatch',
  );
}

export const AGGREGATE_COMMANDS: CommandTable = {
  aggregate: {
    fields: ['pipeline', 'cursor', 'allowDiskUse', 'bypassDocumentValidation'],
    refuses: ['explain', 'hint', 'collation', 'let'],
    run,
  },
};
