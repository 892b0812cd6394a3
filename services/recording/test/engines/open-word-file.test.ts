import { closeSync } from 'node:fs';
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { openWordFile } from '../../src/engines/reference/open-word-file.ts';

it('opens the files that the product comes with, and names one that is damaged', async () => {
  for (const name of ['tokens.txt', 'vectors.i8'] as const) closeSync(openWordFile(name));

  const folder = await mkdtemp(join(tmpdir(), 'word-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(new URL('../../models/word-vectors/', import.meta.url), folder, { recursive: true });
  await appendFile(join(folder, 'tokens.txt'), 'x');
  expect(() => openWordFile('tokens.txt', pathToFileURL(`${folder}/`))).toThrow(
    /^The word vectors are damaged: tokens.txt has SHA-256 [0-9a-f]{64}, expected 2dc9646b/,
  );
});
