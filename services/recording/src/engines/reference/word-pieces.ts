import { closeSync, fstatSync, readSync } from 'node:fs';
import { openWordFile } from './open-word-file.ts';

/** The lines of a text file, as an index that takes a tenth of the memory of a map from each line to its number. */
interface Lines {
  bytes: Buffer;
  /** Where each line begins, and where the one after the last would. */
  starts: Uint32Array;
  /** The numbers of the lines in the order of their bytes. */
  sorted: Uint32Array;
}

const newline = 10;
let pieces: Lines | undefined;

function readPieces(): Lines {
  const file = openWordFile('tokens.txt');
  const bytes = Buffer.alloc(fstatSync(file).size);
  readSync(file, bytes, 0, bytes.length, 0);
  closeSync(file);
  const found = [0];
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === newline) found.push(at + 1);
  const starts = Uint32Array.from(found);
  const sorted = new Uint32Array(starts.length - 1)
    .map((_, row) => row)
    .sort((a, b) => bytes.compare(bytes, starts[b], starts[b + 1]! - 1, starts[a], starts[a + 1]! - 1));
  return { bytes, starts, sorted };
}

/**
 * The row of a word piece in the table of word vectors; undefined where it has none. The more frequent a word, the smaller
 * its row. A piece that continues a word begins with `##`.
 * @throws Error where the file is missing or damaged
 */
export function rowOf(piece: string): number | undefined {
  pieces ??= readPieces();
  const { bytes, starts, sorted } = pieces;
  const wanted = Buffer.from(piece);
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const row = sorted[middle]!;
    const order = bytes.compare(wanted, 0, wanted.length, starts[row], starts[row + 1]! - 1);
    if (order === 0) return row;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return undefined;
}
