import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';

/** A file that ships with the product. */
export interface ShippedFile {
  path: string;
  sizeBytes: number;
  sha256: string;
}

const chunkBytes = 256 * 1024;

/** Why a shipped file can't be used, in a sentence; null if it exists and is intact. @param what 'The speech model' */
export async function findDamage(what: string, { path, sizeBytes, sha256 }: ShippedFile): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return `${what} ${path} is missing.`;
  if (found.size !== sizeBytes) return `${what} ${path} is damaged: it has ${found.size} bytes, expected ${sizeBytes}.`;
  const sum = await sha256Of(path);
  return sum === sha256 ? null : `${what} ${path} is damaged: its SHA-256 is ${sum}, expected ${sha256}.`;
}

/** Reads into one small buffer: the many buffers of a stream would linger in the worker's memory. */
async function sha256Of(path: string): Promise<string> {
  await using file = await open(path, 'r');
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
  }
}
