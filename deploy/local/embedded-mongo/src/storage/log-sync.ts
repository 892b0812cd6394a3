import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const toDisk = promisify(fdatasync);

/** How long after a write the disk is asked for it at the latest, unless it is still busy with what came before. */
const DELAY_MS = 80;

const syncFolder = (path: string): void => {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
};

/**
 * Brings SQLite's write-ahead log to the disk a moment after each write, beside the work: a power cut takes no more than
 * that moment. The log is one file for as long as the database is open: a checkpoint begins it anew in place.
 */
export class LogSync {
  readonly #descriptor: number;
  #isWritten = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #inFlight: Promise<void> | undefined;

  /** @param path the log, which exists; its folder's entries are on the disk before this returns */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'r');
    syncFolder(dirname(path));
  }

  /** To be told after each commit that wrote. */
  written(): void {
    this.#isWritten = true;
    this.#schedule();
  }

  #schedule(): void {
    if (!this.#isWritten || this.#isClosed || this.#timer || this.#inFlight) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#inFlight = this.#sync();
    }, DELAY_MS);
  }

  /** Nobody catches what this throws, so that it ends the process, as mongod ends: the disk has lost what it had taken. */
  async #sync(): Promise<void> {
    this.#isWritten = false;
    await toDisk(this.#descriptor);
    this.#inFlight = undefined;
    this.#schedule();
  }

  /** Resolves when nothing is under way any more. What was written last is left to SQLite, which syncs as it closes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#inFlight;
    closeSync(this.#descriptor);
  }
}
