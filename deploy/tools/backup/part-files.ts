import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BSON } from 'mongodb';
import type { Part } from './manifest.ts';

/** A pass-through stream that measures and hashes its bytes. */
function measuring() {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      callback(null, chunk);
    },
  });
  return { stream, measured: () => ({ sizeBytes, sha256: hash.digest('hex') }) };
}

/** Writes and syncs one file of a backup, and measures it. @param options `gzip`: whether to compress it */
export async function writePart(
  folder: string,
  path: string,
  bytes: AsyncIterable<Buffer>,
  { gzip = false } = {},
): Promise<Part> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  const { stream, measured } = measuring();
  const target = createWriteStream(file, { mode: 0o600, flush: true });
  if (gzip) await pipeline(Readable.from(bytes), createGzip(), stream, target);
  else await pipeline(Readable.from(bytes), stream, target);
  return { path, ...measured() };
}

/** How a file differs from the part that was written, in words; null if it doesn't. */
export async function partDamage(folder: string, part: Part): Promise<string | null> {
  const { stream, measured } = measuring();
  stream.resume();
  try {
    await pipeline(createReadStream(join(folder, part.path)), stream);
  } catch (error) {
    return `${part.path} cannot be read (${(error as Error).message})`;
  }
  const found = measured();
  if (found.sizeBytes !== part.sizeBytes) {
    return `${part.path} has ${found.sizeBytes} bytes instead of ${part.sizeBytes}`;
  }
  return found.sha256 === part.sha256 ? null : `${part.path} has other bytes than were written`;
}

const gunzipped = (folder: string, path: string) => createReadStream(join(folder, path)).pipe(createGunzip());

/** The lines of a gzipped text. */
export function readLines(folder: string, path: string): AsyncIterable<string> {
  return createInterface({ input: gunzipped(folder, path), crlfDelay: Number.POSITIVE_INFINITY });
}

/** The documents in a gzipped BSON file. Numbers keep their BSON types. */
export async function* readDocuments(folder: string, path: string): AsyncGenerator<BSON.Document> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of gunzipped(folder, path) as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    // A document starts with its own length.
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      yield BSON.deserialize(rest.subarray(0, length), { promoteValues: false, bsonRegExp: true });
      rest = rest.subarray(length);
    }
  }
}
