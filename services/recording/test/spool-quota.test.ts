import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWavCache } from '../src/stages/wav-cache.ts';
import { createSpoolRoom } from '../src/uploads/spool-room.ts';
import { temporaryFolder } from './engines/spoken-answer.ts';

it('uploads that would exceed the disk quota are asked to come back later', () => {
  const room = createSpoolRoom(25e6);
  const first = room.take(9e6);
  // A request without a declared length may be as large as the maximum.
  room.take(undefined);
  expect(() => room.take(9e6)).toThrow(expect.objectContaining({ status: 503, retryAfterSeconds: 2 }));
  room.take(1e6);
  first();
  room.take(9e6);
});

it('audio waiting for transcription stays within the disk quota; the rest is created again later', async () => {
  await using folder = await temporaryFolder();
  const cache = await openWavCache(folder.path, 2500);
  const wav = async (name: string) => {
    const path = join(folder.path, name);
    await writeFile(path, Buffer.alloc(1000));
    return path;
  };
  await cache.keep('a', 1, await wav('a'));
  await cache.keep('b', 1, await wav('b'));
  const third = await wav('c');
  await cache.keep('c', 1, third);
  expect(await cache.find('c', 1)).toBeNull();
  // The stage's folder still contains it, and is removed with it.
  await access(third);
  await cache.drop('a', 1);
  await cache.keep('c', 1, third);
  expect(await cache.find('c', 1)).not.toBeNull();
});
