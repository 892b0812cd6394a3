import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Manifest } from 'vite';

/**
 * What the browser loads before the login page works, gzipped: the entry and everything that it imports statically.
 * Prints each file and the sum; run it after a build.
 */
const dist = join(import.meta.dirname, 'dist');
const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;

const files = new Set<string>();
const visit = (key: string): void => {
  const chunk = manifest[key];
  if (!chunk || files.has(chunk.file)) return;
  files.add(chunk.file);
  chunk.imports?.forEach(visit);
};
visit('index.html');

let total = 0;
for (const file of files) {
  const size = gzipSync(await readFile(join(dist, file))).length;
  total += size;
  console.log(`${(size / 1000).toFixed(1).padStart(7)} KB  ${file}`);
}
console.log(`${(total / 1000).toFixed(1).padStart(7)} KB  before the login page works`);
