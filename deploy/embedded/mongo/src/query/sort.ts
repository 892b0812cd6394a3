import { type CompareStrings, compareValues } from '../bson/compare.ts';
import { type Doc, isDoc, isNumber, toNumber } from '../bson/values.ts';
import { type CommandError, locationError, mongoError, notSupported } from '../errors.ts';
import { encodeField, type IndexField, indexKeys } from '../storage/index-keys.ts';

/** How many bytes a sort without an index may hold, as in MongoDB. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;

/** Reads a sort document. @throws {CommandError} 15975 for a direction other than 1 and -1 */
export function readSort(given: unknown): IndexField[] {
  if (given === undefined) return [];
  if (!isDoc(given)) throw mongoError('TypeMismatch', "BSON field 'sort' is the wrong type, expected type 'object'");
  const fields = Object.entries(given).map(([path, value]): IndexField => {
    if (isDoc(value) && '$meta' in value) throw notSupported('Sorting by $meta');
    const direction = isNumber(value) ? toNumber(value) : 0;
    if (direction !== 1 && direction !== -1) {
      throw locationError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    }
    if (path === '' || path.split('.').includes('')) throw locationError(40353, "FieldPath must not end with a '.'.");
    if (path.startsWith('$') && path !== '$natural')
      throw locationError(16410, `FieldPath field names may not start with '$'.`);
    return [path, direction];
  });
  return fields;
}

/** An item with its sort key. */
interface Keyed<T> {
  item: T;
  key: SortKey;
  sizeBytes: number;
}

type SortKey = Buffer | unknown[];

/**
 * Sorts by documents' fields as MongoDB does: across types, and arrays by their least (ascending) or greatest element. The
 * sort is stable. With `limit`, it holds only about that many while reading.
 * @throws {CommandError} QueryExceededMemoryLimitNoDiskUseAllowed
 */
export function sortBy<T>(
  items: Iterable<T>,
  fields: readonly IndexField[],
  read: (item: T) => { doc: Doc; sizeBytes: number },
  options: { compareStrings?: CompareStrings | undefined; limit?: number | undefined } = {},
): T[] {
  const { compareStrings, limit = Number.POSITIVE_INFINITY } = options;
  const compare = (a: Keyed<T>, b: Keyed<T>): number => compareKeys(a.key, b.key, fields, compareStrings);
  let kept: Keyed<T>[] = [];
  let keptBytes = 0;
  for (const item of items) {
    const { doc, sizeBytes } = read(item);
    kept.push({ item, key: sortKey(doc, fields, compareStrings), sizeBytes });
    keptBytes += sizeBytes;
    if (kept.length >= limit * 2 + 100) {
      kept = kept.sort(compare).slice(0, limit);
      keptBytes = kept.reduce((sum, entry) => sum + entry.sizeBytes, 0);
    }
    if (keptBytes > MAX_SORT_BYTES) throw tooLarge();
  }
  return kept
    .sort(compare)
    .slice(0, limit)
    .map((entry) => entry.item);
}

const tooLarge = (): CommandError =>
  mongoError(
    'QueryExceededMemoryLimitNoDiskUseAllowed',
    `Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes: add an index or a limit`,
  );

function sortKey(doc: Doc, fields: readonly IndexField[], compareStrings?: CompareStrings): SortKey {
  const values = fields.map(([path, direction]) => sortValue(doc, path, direction, compareStrings));
  if (compareStrings) return values;
  return Buffer.concat(values.map((value, i) => encodeField(value, fields[i]![1])));
}

function compareKeys(a: SortKey, b: SortKey, fields: readonly IndexField[], compareStrings?: CompareStrings): number {
  if (Buffer.isBuffer(a) && Buffer.isBuffer(b)) return Buffer.compare(a, b);
  for (const [i, [, direction]] of fields.entries()) {
    const difference = compareValues((a as unknown[])[i], (b as unknown[])[i], compareStrings);
    if (difference !== 0) return difference * direction;
  }
  return 0;
}

function sortValue(doc: Doc, path: string, direction: 1 | -1, compareStrings?: CompareStrings): unknown {
  const direct = Object.hasOwn(doc, path) ? doc[path] : undefined;
  if (direct !== undefined && !Array.isArray(direct)) return direct;
  const values = indexKeys(doc, [[path, 1]]).keys.map((key) => key.values[0]);
  return values.reduce((best, value) => (compareValues(value, best, compareStrings) * direction < 0 ? value : best));
}
