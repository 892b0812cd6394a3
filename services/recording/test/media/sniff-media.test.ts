import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sniffMedia } from '../../src/media/sniff-media.ts';
import { ffmpeg, temporaryFolder } from '../engines/spoken-answer.ts';

const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1'];
const head = async (path: string) => (await readFile(path)).subarray(0, 4096);

describe('sniffMedia', () => {
  it.each([
    ['webm', ['-c:a', 'libopus', '-f', 'webm'], 'audio/webm'],
    ['mp4', ['-c:a', 'aac', '-f', 'mp4'], 'audio/mp4'],
    ['mp4', ['-c:a', 'aac', '-f', 'mp4', '-movflags', 'frag_keyframe+empty_moov'], 'audio/mp4'],
    ['ogg', ['-c:a', 'libopus', '-f', 'ogg'], 'audio/ogg'],
    ['mp3', ['-c:a', 'libmp3lame', '-f', 'mp3'], 'audio/mpeg'],
    ['mp3', ['-c:a', 'libmp3lame', '-f', 'mp3', '-id3v2_version', '0', '-write_xing', '0'], 'audio/mpeg'],
    [
      'mp3',
      ['-ar', '16000', '-c:a', 'libmp3lame', '-f', 'mp3', '-id3v2_version', '0', '-write_xing', '0'],
      'audio/mpeg',
    ],
    ['wav', ['-f', 'wav'], 'audio/wav'],
  ])('recognizes %s (%#)', async (container, args, mediaType) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'sound');
    await ffmpeg(...tone, ...args, path);
    expect(sniffMedia(await head(path))).toEqual({ container, mediaType, extension: container });
  });

  it('recognizes nothing else as a recording', async () => {
    await using folder = await temporaryFolder();
    const others = { mkv: ['-f', 'matroska'], flac: ['-f', 'flac'], avi: ['-f', 'avi'], aac: ['-f', 'adts'] };
    for (const [name, args] of Object.entries(others)) {
      const path = join(folder.path, name);
      await ffmpeg(...tone, ...args, path);
      expect([name, sniffMedia(await head(path))]).toEqual([name, null]);
    }
    const path = join(folder.path, 'text.webm');
    await writeFile(path, '<html>webm ftyp OggS RIFF WAVE ID3</html>');
    expect(sniffMedia(await head(path))).toBeNull();
    expect(sniffMedia(Buffer.from('\0\0\0\x1cftypavif\0\0\0\0', 'latin1'))).toBeNull();
    expect(sniffMedia(Buffer.alloc(2000))).toBeNull();
    expect(sniffMedia(new Uint8Array())).toBeNull();
  });

  it('recognizes almost no random bytes as a recording, and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4096 }), (bytes) => {
        expect(sniffMedia(bytes)).toBeNull();
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(sniffMedia(Uint8Array.from([0xff, 0xfb, ...bytes]))?.container ?? 'mp3').toBe('mp3');
      }),
    );
  });
});
