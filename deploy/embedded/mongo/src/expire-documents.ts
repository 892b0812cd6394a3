import { TYPES } from './bson/types.ts';
import { decode } from './bson/values.ts';
import type { Catalog } from './storage/catalog.ts';
import type { Collection, Index, KeyRange } from './storage/collection.ts';
import { encodeField, encodeTuple } from './storage/index-keys.ts';

/** Removes the documents that a TTL index has expired. Returns how many. */
export function expireDocuments(catalog: Catalog, now: Date): number {
  let removed = 0;
  for (const collection of catalog.list()) {
    for (const index of collection.indexes) {
      if (index.expireAfterSeconds !== undefined) removed += expireBy(catalog, collection, index, now);
    }
  }
  return removed;
}

/** Only dates expire. An array expires by its earliest date. */
function expireBy(catalog: Catalog, collection: Collection, index: Index, now: Date): number {
  const deadline = new Date(now.getTime() - index.expireAfterSeconds! * 1000);
  const rows = new Set<number>();
  for (const entry of collection.entries(index, datesUntil(deadline, index), 1)) rows.add(entry.rid);
  if (rows.size === 0) return 0;
  catalog.database.transaction(() => {
    for (const rid of rows) collection.remove(rid, decode(collection.fetch(rid)!));
  });
  return rows.size;
}

function datesUntil(deadline: Date, index: Index): KeyRange {
  const until = encodeTuple([deadline], index.fields);
  const isAscending = index.fields[0]![1] === 1;
  const firstDate = Buffer.from([TYPES.date.order]);
  const afterDates = Buffer.from([(~TYPES.date.order & 0xff) + 1]);
  return isAscending
    ? { from: firstDate, to: Buffer.concat([until, Buffer.from([0xff])]) }
    : { from: encodeField(deadline, -1), to: afterDates };
}
