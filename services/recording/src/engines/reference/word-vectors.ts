import { readSync } from 'node:fs';
import { openWordFile } from './open-word-file.ts';
import { rowOf } from './word-pieces.ts';

/** Numbers of a row in the file, the strongest direction of all words first. */
const storedDimensions = 256;
/** The strongest directions part frequent words from rare ones, names from verbs: two words that share them need not be alike. */
const sharedDimensions = 8;
const dimensions = storedDimensions - sharedDimensions;
const pieceMaxLength = 24;

/** The table of 7.5 MB stays in its file: an answer needs a few hundred rows, and the system caches them. */
let vectorFile: number | undefined;
const stored = new Int8Array(dimensions);

/** The vector of a word piece, of unit length. */
function pieceVector(row: number): Float32Array {
  vectorFile ??= openWordFile('vectors.i8');
  readSync(vectorFile, stored, 0, dimensions, row * storedDimensions + sharedDimensions);
  return scaleToUnit(Float32Array.from(stored));
}

/**
 * The rows of a word's pieces, as BERT's uncased WordPiece splits it: the longest match first. Empty where a part of the
 * word is in no piece. `word` is in lower case.
 */
export function rowsOf(word: string): number[] {
  const found: number[] = [];
  let from = 0;
  while (from < word.length) {
    let to = Math.min(word.length, from + pieceMaxLength);
    let row: number | undefined;
    for (; to > from && row === undefined; to--) row = rowOf((from > 0 ? '##' : '') + word.slice(from, to));
    if (row === undefined) return [];
    found.push(row);
    from = to + 1;
  }
  return found;
}

/** Whether a word is a piece by itself: an English word or name that is not rare. */
export function isWholeWord(word: string): boolean {
  return rowOf(word) !== undefined;
}

/** Scales a vector to unit length, in place; a vector of zeros stays. */
export function scaleToUnit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  if (length > 0) for (let at = 0; at < vector.length; at++) vector[at]! /= length;
  return vector;
}

/** The dot product: the cosine, for vectors of unit length. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}

/** A word's vector, of unit length; null where it has none. `word` is in lower case. @throws Error where a file is missing or damaged. */
export function vectorOf(word: string): Float32Array | null {
  const rows = rowsOf(word);
  if (rows.length === 0) return null;
  const sum = new Float32Array(dimensions);
  for (const row of rows) {
    const piece = pieceVector(row);
    for (let at = 0; at < dimensions; at++) sum[at]! += piece[at]!;
  }
  return scaleToUnit(sum);
}

/** A new vector of zeros. */
export function zeroVector(): Float32Array {
  return new Float32Array(dimensions);
}
