import { ObjectId } from 'bson';
import { equalValues } from './bson/compare.ts';
import { type Doc, decode, encode, formatValue, isDoc } from './bson/values.ts';
import { mongoError } from './errors.ts';
import { type FindRequest, findDocuments } from './find-documents.ts';
import type { Match } from './planner/execute.ts';
import type { Filter } from './query/parse-filter.ts';
import type { Collection } from './storage/collection.ts';
import { isForbiddenId } from './storage/index-definition.ts';
import { checkTimeLimit } from './time-limit.ts';
import { setUpsertField, type Update } from './update/compile-update.ts';
import { MAX_DOCUMENT_BYTES } from './wire/message.ts';

export interface UpdateResult {
  matched: number;
  modified: number;
  /** The document inserted by an upsert. */
  upserted?: Doc;
}

const ID_NAME = Buffer.from('_id\0');

/**
 * Stores a document byte for byte, with `_id` first. A document without `_id` gets an ObjectId.
 * @throws {CommandError} DuplicateKey, BSONObjectTooLarge, InvalidIdField
 */
export function insertRaw(collection: Collection, given: Buffer): void {
  const doc = decode(given);
  refuseReservedNames(given, doc);
  if (!Object.hasOwn(doc, '_id')) {
    const withId = { _id: new ObjectId(), ...doc };
    store(collection, prependId(given, withId._id), withId);
    return;
  }
  const isFirst = given.subarray(5, 9).equals(ID_NAME);
  store(collection, isFirst ? Buffer.from(given) : encode({ _id: doc._id, ...doc }), doc);
}

/** Prepends an `_id` to an encoded document. */
function prependId(given: Buffer, id: ObjectId): Buffer {
  const raw = Buffer.concat([Buffer.alloc(4), Buffer.from([0x07]), ID_NAME, id.id, given.subarray(4)]);
  raw.writeInt32LE(raw.length, 0);
  return raw;
}

function store(collection: Collection, raw: Buffer, doc: Doc): void {
  checkTimeLimit();
  checkSize(raw, 'object to insert too large');
  checkId(doc._id);
  collection.insert(raw, doc);
}

function checkSize(raw: Buffer, what: string): void {
  if (raw.length > MAX_DOCUMENT_BYTES) {
    throw mongoError('BSONObjectTooLarge', `${what}. size in bytes: ${raw.length}, max size: ${MAX_DOCUMENT_BYTES}`);
  }
}

function checkId(id: unknown): void {
  if (isForbiddenId(id))
    throw mongoError('InvalidIdField', `The '_id' value cannot be of type ${Array.isArray(id) ? 'array' : 'regex'}`);
  if (!isDoc(id)) return;
  const dollar = Object.keys(id).find((name) => name.startsWith('$'));
  if (dollar)
    throw mongoError(
      'DollarPrefixedFieldName',
      `_id fields may not contain '$'-prefixed fields: ${dollar} is not valid for storage.`,
    );
}

/** The bson package treats a field of this name as one of its own types, and couldn't encode the document again. */
function refuseReservedNames(raw: Buffer, doc: unknown): void {
  if (!raw.includes('_bsontype\0')) return;
  const isReserved = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(isReserved);
    return isDoc(value) && (Object.hasOwn(value, '_bsontype') || Object.values(value).some(isReserved));
  };
  if (isReserved(doc))
    throw mongoError('BadValue', "The field name '_bsontype' cannot be stored by the embedded server");
}

export interface UpdateRequest {
  find: FindRequest;
  update: Update;
  multi: boolean;
  upsert: boolean;
  /** An upsert's new document starts with the filter's equalities. */
  filter: Filter;
}

/** Updates the matching documents (or the first), or upserts. Rows are collected first, so that no document is updated twice. */
export function updateDocuments(collection: Collection, request: UpdateRequest): UpdateResult {
  const matches = [
    ...findDocuments(collection, { ...request.find, limit: request.multi ? Number.POSITIVE_INFINITY : 1 }),
  ].map(({ rid }) => rid);
  let modified = 0;
  for (const rid of matches) {
    const raw = collection.fetch(rid)!;
    if (updateOne(collection, { rid, raw }, request.update).isModified) modified++;
  }
  if (matches.length > 0 || !request.upsert) return { matched: matches.length, modified };
  return { matched: 0, modified: 0, upserted: upsert(collection, request) };
}

/** Updates one document. Returns the new document, and whether it changed. */
export function updateOne(
  collection: Collection,
  match: Pick<Match, 'rid' | 'raw'>,
  update: Update,
): { after: Doc; isModified: boolean } {
  checkTimeLimit();
  const before = decode(match.raw);
  const changed = update.apply(before, false);
  const after = keepId(before, changed, update.kind);
  const raw = encode(after);
  if (raw.equals(match.raw)) return { after, isModified: false };
  checkSize(raw, 'Resulting document after update is larger than 16777216');
  refuseReservedNames(raw, after);
  collection.replace(match.rid, before, raw, after);
  return { after, isModified: true };
}

/** `_id` may not change. An equal value keeps its old type. */
function keepId(before: Doc, after: Doc, kind: Update['kind']): Doc {
  if (!Object.hasOwn(after, '_id')) {
    if (kind === 'modifiers') throw immutable();
    return { _id: before._id, ...after };
  }
  if (!equalValues(before._id, after._id)) {
    if (kind === 'modifiers') throw immutable();
    throw mongoError(
      'ImmutableField',
      `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${formatValue(after._id)}`,
    );
  }
  return { ...after, _id: before._id };
}

const immutable = (): Error =>
  mongoError('ImmutableField', "Performing an update on the path '_id' would modify the immutable field '_id'");

/** Inserts the document of an upsert: the query's equalities with the update applied. */
export function upsert(collection: Collection, { filter, update }: Pick<UpdateRequest, 'filter' | 'update'>): Doc {
  const start: Doc = {};
  for (const [path, value] of equalities(filter)) {
    if (update.kind === 'modifiers' || path === '_id') setUpsertField(start, path, value);
  }
  const made = update.apply(start, true);
  if (Object.hasOwn(start, '_id') && !equalValues(start._id, made._id ?? null)) throw immutable();
  const { _id = new ObjectId(), ...rest } = made;
  const doc = { _id, ...rest };
  const raw = encode(doc);
  refuseReservedNames(raw, doc);
  store(collection, raw, doc);
  return doc;
}

function equalities(filter: Filter): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const visit = (node: Filter): void => {
    if (node.kind === 'and') node.children.forEach(visit);
    else if (node.kind === 'or' && node.children.length === 1) visit(node.children[0]!);
    else if (node.kind === 'path' && isSingleValue(node)) {
      if (found.has(node.path))
        throw mongoError(
          'NotSingleValueField',
          `cannot infer query fields to set, path '${node.path}' is matched twice`,
        );
      found.set(node.path, node.operator === '$in' ? (node.operand as unknown[])[0] : node.operand);
    }
  };
  visit(filter);
  for (const path of found.keys()) {
    const clash = [...found.keys()].find((other) => other.startsWith(`${path}.`));
    if (clash)
      throw mongoError(
        'NotSingleValueField',
        `cannot infer query fields to set, both paths '${path}' and '${clash}' are matched`,
      );
  }
  return found;
}

const isSingleValue = (node: Extract<Filter, { kind: 'path' }>): boolean =>
  node.operator === '$eq' || (node.operator === '$in' && (node.operand as unknown[]).length === 1);

/** Removes the matching documents, up to the limit. Returns their number. */
export function deleteDocuments(collection: Collection, find: FindRequest): number {
  const matches = [...findDocuments(collection, find)].map(({ rid }) => rid);
  for (const rid of matches) {
    checkTimeLimit();
    collection.remove(rid, decode(collection.fetch(rid)!));
  }
  return matches.length;
}
