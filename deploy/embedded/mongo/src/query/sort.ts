import { compareValues } from '../bson/compare.ts';
import { type Doc, isDoc, isNumber, toNumber } from '../bson/values.ts';
import { type CommandError, locationError, mongoError, notSupported } from '../errors.ts';
import { encodeField, type IndexField, indexKeys } from '../storage/index-keys.ts';

/** Memory limit in bytes of a sort without an index, as in MongoDB. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;

/** Parses a sort document. @throws {CommandError} 15975 for a direction other than 1 and -1 */
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

interface Keyed<T> {
  item: T;
  key: Buffer;
  sizeBytes: number;
}

/**
 * Sorts by documents' fields as MongoDB does: across types, and arrays by their least (ascending) or greatest element. The
 * sort is stable. With `limit`, it holds only about that many items while reading.
 * @throws {CommandError} QueryExceededMemoryLimitNoDiskUseAllowed
 */
export function sortBy<T>(
  items: Iterable<T>,
  fields: readonly IndexField[],
  read: (item: T) => { doc: Doc; sizeBytes: number },
  limit = Number.POSITIVE_INFINITY,
): T[] {
  const compare = (a: Keyed<T>, b: Keyed<T>): number => Buffer.compare(a.key, b.key);
  let kept: Keyed<T>[] = [];
  let keptBytes = 0;
  for (const item of items) {
    const { doc, sizeBytes } = read(item);
    kept.push({ item, key: sortKey(doc, fields), sizeBytes });
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

function sortKey(doc: Doc, fields: readonly IndexField[]): Buffer {
  return Buffer.concat(fields.map(([path, direction]) => encodeField(sortValue(doc, path, direction), direction)));
}

function sortValue(doc: Doc, path: string, direction: 1 | -1): unknown {
  const direct = Object.hasOwn(doc, path) ? doc[path] : undefined;
  if (direct !== undefined && !Array.isArray(direct)) return direct;
  const values = indexKeys(doc, [[path, 1]]).keys.map((key) => key.values[0]);
  return values.reduce((best, value) => (compareValues(value, best) * direction < 0 ? value : best));
}
