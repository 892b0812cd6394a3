import { Long } from 'bson';
import { mongoError } from './errors.ts';
import { MAX_DOCUMENT_BYTES } from './wire/message.ts';

/** How long a cursor may rest, in milliseconds; MongoDB's own. */
const IDLE_MS = 10 * 60 * 1000;
const FIRST_BATCH = 101;

/** Documents being read, and how far. */
interface OpenCursor {
  namespace: string;
  documents: Iterator<Buffer>;
  /** Read, but too large for the last batch. */
  held?: Buffer;
  lastUsedAt: number;
  neverExpires: boolean;
}

/** How a cursor is opened. */
export interface CursorOptions {
  batchSize?: number;
  /** Whether to read no further than the first batch. */
  singleBatch?: boolean;
  /** Whether it may rest for as long as it likes. */
  neverExpires?: boolean;
}

/** What one reply carries of a cursor. */
export interface Batch {
  /** Zero where nothing follows. */
  id: Long;
  documents: Buffer[];
}

/** The cursors that clients hold. They read on demand, die when drained, killed, or not used for ten minutes. */
export class Cursors {
  readonly #open = new Map<string, OpenCursor>();
  #nextId = BigInt(Date.now()) * 1000n;

  /** Begins to read; keeps a cursor only if there is more than the first batch. */
  start(namespace: string, documents: Iterable<Buffer>, options: CursorOptions = {}): Batch {
    const { batchSize = FIRST_BATCH, singleBatch = false, neverExpires = false } = options;
    const cursor: OpenCursor = {
      namespace,
      documents: documents[Symbol.iterator](),
      lastUsedAt: Date.now(),
      neverExpires,
    };
    const batch = readBatch(cursor, batchSize);
    if (batch.done || singleBatch) {
      cursor.documents.return?.();
      return { id: Long.ZERO, documents: batch.documents };
    }
    const id = this.#nextId++;
    this.#open.set(String(id), cursor);
    return { id: Long.fromBigInt(id), documents: batch.documents };
  }

  /** Reads on. Throws CursorNotFound. */
  next(id: Long, namespace: string, batchSize = Number.POSITIVE_INFINITY): Batch {
    const cursor = this.#open.get(id.toString());
    if (!cursor) throw mongoError('CursorNotFound', `cursor id ${id.toString()} not found`);
    if (cursor.namespace !== namespace) {
      throw mongoError(
        'Unauthorized',
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
      );
    }
    cursor.lastUsedAt = Date.now();
    try {
      const { documents, done } = readBatch(cursor, batchSize);
      if (!done) return { id, documents };
      this.kill(id);
      return { id: Long.ZERO, documents };
    } catch (error) {
      this.kill(id);
      throw error;
    }
  }

  /** Ends a cursor; returns whether there was one. */
  kill(id: Long): boolean {
    const cursor = this.#open.get(id.toString());
    cursor?.documents.return?.();
    return this.#open.delete(id.toString());
  }

  /** Ends cursors that have rested too long. */
  expire(now: number): void {
    for (const [id, cursor] of this.#open)
      if (!cursor.neverExpires && now - cursor.lastUsedAt > IDLE_MS) this.#open.delete(id);
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }
}

/** Up to so many documents, and no more bytes than one reply may have; at least one, however large. */
function readBatch(cursor: OpenCursor, batchSize: number): { documents: Buffer[]; done: boolean } {
  const documents: Buffer[] = [];
  let bytes = 0;
  while (documents.length < batchSize) {
    const next = cursor.held ? { done: false as const, value: cursor.held } : cursor.documents.next();
    if (next.done) return { documents, done: true };
    bytes += next.value.length;
    if (documents.length > 0 && bytes > MAX_DOCUMENT_BYTES) {
      cursor.held = next.value;
      return { documents, done: false };
    }
    delete cursor.held;
    documents.push(next.value);
  }
  return { documents, done: false };
}
