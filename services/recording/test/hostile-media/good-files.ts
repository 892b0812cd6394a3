import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Container } from '../../src/media/sniff-media.ts';
import { ffmpeg } from '../engines/spoken-answer.ts';

const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=3'];
const picture = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=10:d=3'];

/** ffmpeg arguments for valid files, like those of browsers and other programs. */
const recipes: Record<Container, readonly (readonly string[])[]> = {
  webm: [
    [...sound, '-c:a', 'libopus', '-b:a', '24k', '-f', 'webm', '-live', '1'],
    [...picture, ...sound, '-c:v', 'libvpx', '-b:v', '50k', '-c:a', 'libopus', '-b:a', '24k', '-f', 'webm'],
  ],
  mp4: [
    [...sound, '-c:a', 'aac', '-b:a', '32k', '-f', 'mp4'],
    [...sound, '-c:a', 'aac', '-b:a', '32k', '-f', 'mp4', '-movflags', 'frag_keyframe+empty_moov'],
  ],
  ogg: [
    [...sound, '-c:a', 'libopus', '-b:a', '24k', '-f', 'ogg'],
    [...sound, '-c:a', 'libvorbis', '-q:a', '0', '-f', 'ogg'],
  ],
  mp3: [[...sound, '-c:a', 'libmp3lame', '-b:a', '32k', '-f', 'mp3']],
  wav: [[...sound, '-ar', '8000', '-f', 'wav']],
};

export function goodFiles(container: Container, folder: string): Promise<Buffer[]> {
  return Promise.all(
    recipes[container].map(async (recipe, index) => {
      const path = join(folder, `good-${index}.${container}`);
      await ffmpeg(...recipe, path);
      return readFile(path);
    }),
  );
}
