import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { reloadable } from '../../idle/reloadable.ts';

const folder = new URL('../../../models/word-vectors/', import.meta.url);
/** SHA-256 of the files that the product comes with. */
const files = {
  'tokens.txt': '2dc9646bf122d33d46046846a70f534d4660c892cbe041dfa2e81421e9e29c6c',
  'vectors.i8': 'ff696ecd086638520d474dbda8bd714d01d853114c1cf0204a9c4b06a22fa404',
} as const;
/** Numbers of a row in the file, the strongest direction of all words first. */
const storedDimensions = 256;
/** The strongest directions part frequent words from rare ones, names from verbs: two words that share them need not be alike. */
const sharedDimensions = 8;
const dimensions = storedDimensions - sharedDimensions;
const pieceMaxLength = 24;

interface WordPieces {
  rows: ReadonlyMap<string, number>;
  values: Int8Array;
}

function readModelFile(name: keyof typeof files): Buffer {
  const bytes = readFileSync(new URL(name, folder));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== files[name])
    throw new Error(`The word vectors are damaged: ${name} has SHA-256 ${sha256}, expected ${files[name]}.`);
  return bytes;
}

/** 7.8 MB and the words. */
const wordPieces = reloadable((): WordPieces => {
  const pieces = readModelFile('tokens.txt').toString('utf8').trimEnd().split('\n');
  const bytes = readModelFile('vectors.i8');
  return {
    rows: new Map(pieces.map((piece, row) => [piece, row])),
    values: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
  };
});

/**
 * The rows of a word's pieces, as BERT's uncased WordPiece splits it: the longest match first. Empty where a part of the
 * word is in no piece. `word` is in lower case.
 */
export function rowsOf(word: string): number[] {
  const { rows } = wordPieces();
  const found: number[] = [];
  let from = 0;
  while (from < word.length) {
    let to = Math.min(word.length, from + pieceMaxLength);
    let row: number | undefined;
    for (; to > from && row === undefined; to--) row = rows.get((from > 0 ? '##' : '') + word.slice(from, to));
    if (row === undefined) return [];
    found.push(row);
    from = to + 1;
  }
  return found;
}

/** Whether a word is a piece by itself: an English word or name that is not rare. */
export function isWholeWord(word: string): boolean {
  return wordPieces().rows.has(word);
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
  const { values } = wordPieces();
  const sum = new Float32Array(dimensions);
  for (const row of rows) {
    const piece = scaleToUnit(
      Float32Array.from(values.subarray(row * storedDimensions + sharedDimensions, (row + 1) * storedDimensions)),
    );
    for (let at = 0; at < dimensions; at++) sum[at]! += piece[at]!;
  }
  return scaleToUnit(sum);
}

/** A new vector of zeros. */
export function zeroVector(): Float32Array {
  return new Float32Array(dimensions);
}
