import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

const folder = new URL('../../../models/word-vectors/', import.meta.url);
/** SHA-256 of the files that the product comes with. */
const sums = {
  'tokens.txt': '2dc9646bf122d33d46046846a70f534d4660c892cbe041dfa2e81421e9e29c6c',
  'vectors.i8': 'ff696ecd086638520d474dbda8bd714d01d853114c1cf0204a9c4b06a22fa404',
} as const;

/**
 * Opens a file of the word vectors and checks it, in small pieces so that it is never in memory as a whole.
 * @param from the folder that holds it
 * @returns the file's descriptor
 * @throws Error where the file is missing or damaged
 */
export function openWordFile(name: keyof typeof sums, from = folder): number {
  const file = openSync(new URL(name, from), 'r');
  const hash = createHash('sha256');
  const piece = Buffer.alloc(64 * 1024);
  for (let length = readSync(file, piece); length > 0; length = readSync(file, piece))
    hash.update(piece.subarray(0, length));
  const sum = hash.digest('hex');
  if (sum === sums[name]) return file;
  closeSync(file);
  throw new Error(`The word vectors are damaged: ${name} has SHA-256 ${sum}, expected ${sums[name]}.`);
}
