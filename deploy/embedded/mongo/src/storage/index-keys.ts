import { encodeKey, invertKey } from '../bson/key-encoding.ts';
import { type Doc, getField, isDoc } from '../bson/values.ts';
import { mongoError } from '../errors.ts';

/** One indexed field: its path and 1 or -1. */
export type IndexField = readonly [path: string, direction: 1 | -1];

/** One index entry of a document. */
export interface IndexKey {
  bytes: Buffer;
  /** The indexed values for duplicate-key errors: null for a missing one. */
  values: unknown[];
  /** Whether all of them are missing. */
  isMissing: boolean;
}

/** All entries of one document in one index. */
export interface IndexKeys {
  keys: IndexKey[];
  /** For each field, whether there is an array on its path. */
  multikey: boolean[];
}

interface Cursor {
  node: unknown;
  rest: string[];
  final?: boolean;
}

const MISSING = Symbol('missing');
const isPosition = (part: string | undefined): part is string => part !== undefined && /^\d+$/.test(part);

/** A document's entries, one per array element. @throws {CommandError} CannotIndexParallelArrays for two arrays at once */
export function indexKeys(doc: Doc, fields: readonly IndexField[]): IndexKeys {
  const multikey = fields.map(() => false);
  const tuples: unknown[][] = [];
  expand(
    fields.map(([path]) => ({ node: doc, rest: path.split('.') })),
    fields,
    multikey,
    tuples,
  );
  const keys = new Map<string, IndexKey>();
  for (const tuple of tuples) {
    const values = tuple.map((value) => (value === MISSING ? null : value));
    const bytes = encodeTuple(values, fields);
    const isMissing = tuple.every((value) => value === MISSING);
    const id = bytes.toString('latin1');
    if (!isMissing || !keys.has(id)) keys.set(id, { bytes, values, isMissing });
  }
  return { keys: [...keys.values()], multikey };
}

/** The bytes of one entry: each field's encoding, inverted for a descending field. */
export function encodeTuple(values: readonly unknown[], fields: readonly IndexField[]): Buffer {
  return Buffer.concat(values.map((value, i) => encodeField(value, fields[i]![1])));
}

/** The bytes of one field of an entry. */
export function encodeField(value: unknown, direction: 1 | -1): Buffer {
  const key = encodeKey(value);
  return direction === 1 ? key : invertKey(key);
}

/** Resolves every field to its value or to the next array. Fields under the same array are expanded together. */
function expand(cursors: Cursor[], fields: readonly IndexField[], multikey: boolean[], tuples: unknown[][]): void {
  const reached = cursors.map(advance);
  const arrays = new Set(reached.filter(isOpenArray).map((cursor) => cursor.node as unknown[]));
  if (arrays.size > 1) {
    const names = reached.flatMap((cursor, i) => (isOpenArray(cursor) ? [fields[i]![0]] : []));
    throw mongoError('CannotIndexParallelArrays', `cannot index parallel arrays [${names.join('] [')}]`);
  }
  const [array] = arrays;
  if (!array) {
    tuples.push(reached.map((cursor) => (cursor.rest.length === 0 ? cursor.node : MISSING)));
    return;
  }
  reached.forEach((cursor, i) => {
    if (isOpenArray(cursor)) multikey[i] = true;
  });
  for (const item of array.length ? array : [undefined]) {
    const inside = reached.map((cursor) => (isOpenArray(cursor) ? enter(cursor, item) : cursor));
    expand(inside, fields, multikey, tuples);
  }
}

const isOpenArray = (cursor: Cursor): boolean => Array.isArray(cursor.node) && !cursor.final;

/** An element at the end of a path is final: an array inside an array is not expanded again. */
function enter(cursor: Cursor, item: unknown): Cursor {
  if (cursor.rest.length === 0) return { node: item, rest: [], final: true };
  return { node: isDoc(item) ? item : MISSING, rest: cursor.rest };
}

function advance(cursor: Cursor): Cursor {
  if (cursor.final) return cursor;
  let { node, rest } = cursor;
  while (rest.length > 0) {
    const [part, ...further] = rest as [string, ...string[]];
    if (isDoc(node) && Object.hasOwn(node, part)) node = getField(node, part);
    else if (Array.isArray(node) && isPosition(part)) node = Number(part) < node.length ? node[Number(part)] : MISSING;
    else if (Array.isArray(node)) return { node, rest };
    else return { node: MISSING, rest };
    rest = further;
  }
  return { node, rest };
}
