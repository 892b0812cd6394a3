import { Long } from 'bson';
import { mongoError } from './errors.ts';
import { remainingMs, withTimeLimit } from './time-limit.ts';
import { MAX_DOCUMENT_BYTES } from './wire/message.ts';

/** Idle timeout of a cursor, as in MongoDB. */
const IDLE_MS = 10 * 60 * 1000;
const FIRST_BATCH = 101;

/** An open cursor between two batches. */
interface OpenCursor {
  namespace: string;
  documents: Iterator<Buffer>;
  /** A document that was read but did not fit into the last batch. */
  pending?: Buffer;
  lastUsedAt: number;
  neverExpires: boolean;
  /** The rest of its `maxTimeMS`. Only time spent reading counts. */
  remainingMs: number;
}

export interface CursorOptions {
  batchSize?: number;
  /** Whether to close the cursor after the first batch. */
  singleBatch?: boolean;
  /** Whether the cursor is exempt from the idle timeout. */
  neverExpires?: boolean;
}

export interface Batch {
  /** Zero for the last batch. */
  id: Long;
  documents: Buffer[];
}

/** The open cursors. A cursor reads on demand, and closes when it is exhausted, killed, or idle for ten minutes. */
export class Cursors {
  readonly #open = new Map<string, OpenCursor>();
  #nextId = BigInt(Date.now()) * 1000n;

  /** Reads the first batch, and keeps the cursor if there is more. */
  start(namespace: string, documents: Iterable<Buffer>, options: CursorOptions = {}): Batch {
    const { batchSize = FIRST_BATCH, singleBatch = false, neverExpires = false } = options;
    const cursor: OpenCursor = {
      namespace,
      documents: documents[Symbol.iterator](),
      lastUsedAt: Date.now(),
      neverExpires,
      remainingMs: Number.POSITIVE_INFINITY,
    };
    const batch = readBatch(cursor, batchSize);
    if (batch.done || singleBatch) {
      cursor.documents.return?.();
      return { id: Long.ZERO, documents: batch.documents };
    }
    cursor.remainingMs = remainingMs();
    const id = this.#nextId++;
    this.#open.set(String(id), cursor);
    return { id: Long.fromBigInt(id), documents: batch.documents };
  }

  /** Reads the next batch. @throws {CommandError} CursorNotFound, or any error of reading, which closes the cursor */
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
      const { documents, done } = withTimeLimit(cursor.remainingMs, () => {
        const batch = readBatch(cursor, batchSize);
        cursor.remainingMs = remainingMs();
        return batch;
      });
      if (!done) return { id, documents };
      this.kill(id);
      return { id: Long.ZERO, documents };
    } catch (error) {
      this.kill(id);
      throw error;
    }
  }

  /** Closes a cursor. Returns whether it was open. */
  kill(id: Long): boolean {
    const cursor = this.#open.get(id.toString());
    cursor?.documents.return?.();
    return this.#open.delete(id.toString());
  }

  /** Closes cursors that have been idle for too long. */
  expire(now: number): void {
    for (const [id, cursor] of this.#open)
      if (!cursor.neverExpires && now - cursor.lastUsedAt > IDLE_MS) this.#open.delete(id);
  }
}

/** Reads up to `batchSize` documents, and no more bytes than fit into one reply, but at least one document. */
function readBatch(cursor: OpenCursor, batchSize: number): { documents: Buffer[]; done: boolean } {
  const documents: Buffer[] = [];
  let bytes = 0;
  while (documents.length < batchSize) {
    const next = cursor.pending ? { done: false as const, value: cursor.pending } : cursor.documents.next();
    if (next.done) return { documents, done: true };
    bytes += next.value.length;
    if (documents.length > 0 && bytes > MAX_DOCUMENT_BYTES) {
      cursor.pending = next.value;
      return { documents, done: false };
    }
    delete cursor.pending;
    documents.push(next.value);
  }
  return { documents, done: false };
}
