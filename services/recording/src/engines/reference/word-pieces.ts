import { closeSync, fstatSync, readSync } from 'node:fs';
import { reloadable } from '../../idle/reloadable.ts';
import { openWordFile } from './open-word-file.ts';

/** The row of each word piece in the table of word vectors: the more frequent a word, the smaller its row. */
export const wordPieces = reloadable((): ReadonlyMap<string, number> => {
  const file = openWordFile('tokens.txt');
  const bytes = Buffer.alloc(fstatSync(file).size);
  readSync(file, bytes, 0, bytes.length, 0);
  closeSync(file);
  const rows = new Map<string, number>();
  for (const piece of bytes.toString('utf8').trimEnd().split('\n')) rows.set(piece, rows.size);
  return rows;
});
