import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Sound of an ffmpeg source, encoded as Chromium's MediaRecorder does: WebM with Opus, written without seeking back. */
async function webm(input: readonly string[]): Promise<Buffer> {
  const arguments_ = ['-v', 'error', ...input, '-c:a', 'libopus', '-b:a', '64k', '-ac', '1', '-f', 'webm', '-'];
  const child = spawn('ffmpeg', arguments_, { stdio: ['ignore', 'pipe', 'inherit'] });
  return buffer(child.stdout);
}

/** A recording in which a voice says the text. */
export async function spoken(text: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'spoken-'));
  try {
    const wav = join(folder, 'speech.wav');
    await run('flite', ['-voice', 'slt', '-t', text, '-o', wav]);
    return await webm(['-i', wav]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A recording of nothing. */
export const silence = (seconds: number): Promise<Buffer> =>
  webm(['-f', 'lavfi', '-t', String(seconds), '-i', 'anullsrc=r=48000:cl=mono']);

/** A recording of a tone of varying loudness: quick to make, well over the smallest size, and its bytes differ by pitch. */
export const tone = (hertz: number, seconds = 1): Promise<Buffer> =>
  webm(['-f', 'lavfi', '-t', String(seconds), '-i', `sine=frequency=${hertz}:sample_rate=48000`]);

/** A tone with filling after it, of exactly `sizeBytes`: passes for a recording when uploaded. */
export async function padded(sizeBytes: number): Promise<Buffer> {
  const head = await tone(440);
  return Buffer.concat([head, Buffer.alloc(Math.max(0, sizeBytes - head.length), 7)]).subarray(0, sizeBytes);
}

/** What share of the spoken words came back, in any order, each counted as often as it was said. */
export function shareOfWords(said: string, heard: string): number {
  const words = (text: string): string[] => text.toLowerCase().match(/[a-z']+/g) ?? [];
  const left = words(heard);
  const all = words(said);
  const found = all.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return found.length / all.length;
}
