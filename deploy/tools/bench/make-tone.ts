import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A second of a tone, encoded as Chromium records. */
export async function makeTone(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(folder, 'tone.webm');
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=300:duration=1', '-c:a', 'libopus', '-b:a', '32k', path];
  await promisify(execFile)('ffmpeg', ['-nostdin', '-loglevel', 'error', ...tone]);
  return new Uint8Array(await readFile(path));
}
