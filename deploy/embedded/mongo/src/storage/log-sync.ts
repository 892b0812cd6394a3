import fs, { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** The longest time between a write and its sync, unless an earlier sync is still running. */
const DELAY_MS = 80;

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/**
 * Syncs SQLite's write-ahead log to disk shortly after each write, in the background. A power cut loses no more than that
 * time. The log stays the same file while the database is open: a checkpoint restarts it in place.
 */
export class LogSync {
  readonly #descriptor: number;
  #isWritten = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #inFlight: Promise<void> | undefined;

  /** @param path the existing log; its folder is synced before this returns */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'r');
    syncFolder(dirname(path));
  }

  /** Call this after each commit that wrote. */
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

  /** An error here is not caught and ends the process, as in mongod: the disk has lost acknowledged writes. */
  async #sync(): Promise<void> {
    this.#isWritten = false;
    // By way of `fs`, where a test can watch it.
    await promisify(fs.fdatasync)(this.#descriptor);
    this.#inFlight = undefined;
    this.#schedule();
  }

  /** Resolves when no sync is running. SQLite syncs the last writes when it closes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#inFlight;
    closeSync(this.#descriptor);
  }
}
