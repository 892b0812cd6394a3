import { BSONRegExp, Int32 } from 'bson';
import { equalValues } from '../bson/compare.ts';
import { type Doc, isDoc, isNumber, isTruthy, toNumber } from '../bson/values.ts';
import { mongoError, notSupported } from '../errors.ts';
import { type Filter, parseFilter } from '../query/parse-filter.ts';
import type { IndexField } from './index-keys.ts';

export interface IndexDefinition {
  name: string;
  /** The index in `listIndexes`: v, key, name and the given options. */
  spec: Doc;
  fields: readonly IndexField[];
  unique: boolean;
  sparse: boolean;
  /** Only matching documents are indexed. */
  partial?: Filter;
  /** Documents are removed once their date is older than this. */
  expireAfterSeconds?: number;
}

/** Options without effect here. They are stored only to be listed. */
const INERT_OPTIONS = new Set(['v', 'background', 'hidden', 'ns']);
const KNOWN_OPTIONS = new Set(['key', 'name', 'unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds']);

/** The index that every collection has. */
export const ID_INDEX: IndexDefinition = defineIndex({ key: { _id: new Int32(1) }, name: '_id_' });

/**
 * Parses and validates a specification of `createIndexes`.
 * @throws {CommandError} CannotCreateIndex, InvalidIndexSpecificationOption, TypeMismatch or CommandNotSupported
 */
export function defineIndex(given: Doc): IndexDefinition {
  const fields = readFields(given.key);
  const name = given.name ?? fields.map(([path, direction]) => `${path}_${direction}`).join('_');
  if (typeof name !== 'string' || name === '') throw mongoError('CannotCreateIndex', 'An index needs a name');
  for (const option of Object.keys(given)) {
    const isSimple = option === 'collation' && isDoc(given.collation) && given.collation.locale === 'simple';
    if (KNOWN_OPTIONS.has(option) || INERT_OPTIONS.has(option) || isSimple) continue;
    throw option === 'collation'
      ? notSupported('An index with a collation')
      : notSupported(`The index option '${option}'`);
  }
  if (isTruthy(given.hidden)) throw notSupported('A hidden index');
  const isId = fields.length === 1 && fields[0]![0] === '_id';
  if (isId) refuseIdOptions(given);
  const partial = readPartialFilter(given.partialFilterExpression);
  if (partial && isTruthy(given.sparse)) {
    throw mongoError('CannotCreateIndex', "cannot mix 'partialFilterExpression' and 'sparse' options");
  }
  const expireAfterSeconds = readExpiry(given.expireAfterSeconds, fields);
  const { key, name: _name, v: _v, ns: _ns, background: _background, ...options } = given;
  return {
    name,
    spec: { v: new Int32(2), key: key as Doc, name, ...options },
    fields,
    unique: isTruthy(given.unique) || isId,
    sparse: isTruthy(given.sparse),
    ...(partial ? { partial } : {}),
    ...(expireAfterSeconds === undefined ? {} : { expireAfterSeconds }),
  };
}

function readFields(key: unknown): IndexField[] {
  if (!isDoc(key) || Object.keys(key).length === 0)
    throw mongoError('CannotCreateIndex', 'Index keys cannot be empty.');
  return Object.entries(key).map(([path, value]) => {
    if (typeof value === 'string') throw notSupported(`An index of type '${value}'`);
    if (path.split('.').some((part) => part === '')) {
      throw mongoError('CannotCreateIndex', `Index key contains an empty field name: '${path}'`);
    }
    if (path.includes('$')) throw path.includes('**') ? notSupported('A wildcard index') : badPath(path);
    const direction = isNumber(value) ? toNumber(value) : Number.NaN;
    if (!direction) throw mongoError('CannotCreateIndex', `Values in the index key pattern must be 1 or -1: '${path}'`);
    return [path, direction > 0 ? 1 : -1];
  });
}

const badPath = (path: string) =>
  mongoError('CannotCreateIndex', `Index key contains an illegal field name: field name starts with '$': '${path}'`);

/** The index of `_id` accepts no options. */
function refuseIdOptions(given: Doc): void {
  const option = ['unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds'].find((name) => name in given);
  if (option)
    throw mongoError(
      'InvalidIndexSpecificationOption',
      `The field '${option}' is not valid for an _id index specification.`,
    );
}

function readPartialFilter(given: unknown): Filter | undefined {
  if (given === undefined) return undefined;
  if (!isDoc(given)) throw mongoError('TypeMismatch', "The field 'partialFilterExpression' must be an object");
  const filter = parseFilter(given);
  checkPartialFilter(filter);
  return filter;
}

/** A partial index supports equality, ranges, `$in`, `$exists: true`, `$and` and `$or`. */
function checkPartialFilter(filter: Filter): void {
  if ('children' in filter) filter.children.forEach(checkPartialFilter);
  else if (filter.kind === 'opaque' || filter.operator === '$regex')
    throw mongoError('CannotCreateIndex', `unsupported expression in partial index: ${filter.operator}`);
}

function readExpiry(value: unknown, fields: IndexField[]): number | undefined {
  if (value === undefined) return undefined;
  const seconds = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!(seconds >= 0 && seconds <= 0x7fffffff)) {
    throw mongoError('CannotCreateIndex', 'TTL index expireAfterSeconds must be within 0 and 2147483647');
  }
  if (fields.length > 1)
    throw mongoError('CannotCreateIndex', 'TTL indexes are single-field indexes, compound indexes do not support TTL');
  return seconds;
}

/**
 * Compares a new index with an existing one. Returns 'same' if there is nothing to create.
 * @throws {CommandError} IndexKeySpecsConflict or IndexOptionsConflict if a different index has the same name or keys
 */
export function compareDefinitions(existing: IndexDefinition, added: IndexDefinition): 'same' | 'different' {
  const sameKeys = equalValues(existing.spec.key, added.spec.key);
  const sameOptions = equalValues(essence(existing), essence(added));
  if (existing.name === added.name) {
    if (sameKeys && sameOptions) return 'same';
    const found = `An existing index has the same name as the requested index. Requested index: ${describe(added)}, existing index: ${describe(existing)}`;
    throw mongoError('IndexKeySpecsConflict', found);
  }
  if (
    !sameKeys ||
    !equalValues(existing.spec.partialFilterExpression ?? null, added.spec.partialFilterExpression ?? null)
  ) {
    return 'different';
  }
  throw mongoError('IndexOptionsConflict', `Index already exists with a different name: ${existing.name}`);
}

function essence(index: IndexDefinition): Doc {
  const { unique, sparse } = index;
  const partial = index.spec.partialFilterExpression ?? null;
  return { unique, sparse, partial, expireAfterSeconds: index.spec.expireAfterSeconds ?? null };
}

const describe = (index: IndexDefinition): string =>
  `{ ${index.fields.map((field) => field.join(': ')).join(', ')} } (${index.name})`;

/** Whether this value is not allowed as an `_id`. */
export function isForbiddenId(value: unknown): boolean {
  return Array.isArray(value) || value instanceof BSONRegExp || value === undefined;
}
