import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ffmpeg, speakAsWebm, temporaryFolder } from '../engines/spoken-answer.ts';

// Each file is read before its function returns: `await using` deletes the folder without waiting for a promise that
// is only returned.

/** A recording in which a voice says the text, as Chromium would record it. @param filter changes the sound */
export async function spoken(text: string, filter = 'anull'): Promise<Buffer> {
  await using folder = await temporaryFolder();
  const path = await speakAsWebm(text, folder.path);
  if (filter === 'anull') return await readFile(path);
  const changed = join(folder.path, 'changed.webm');
  await ffmpeg('-i', path, '-af', filter, '-c:a', 'libopus', '-b:a', '64k', changed);
  return await readFile(changed);
}

/** Sound of ffmpeg's own making, as Chromium would record it. */
async function generated(source: string, seconds: number): Promise<Buffer> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'generated.webm');
  const encode = ['-c:a', 'libopus', '-b:a', '64k', '-f', 'webm', '-live', '1'];
  await ffmpeg('-f', 'lavfi', '-t', String(seconds), '-i', source, ...encode, path);
  return await readFile(path);
}

/** A recording of nothing. */
export function silence(seconds: number): Promise<Buffer> {
  return generated('anoisesrc=color=pink:amplitude=0.0003:sample_rate=48000', seconds);
}

/** A recording of a tone: quickly made, longer than the smallest size, other bytes for another pitch. */
export function tone(hertz: number, seconds = 1): Promise<Buffer> {
  return generated(`sine=frequency=${hertz}:sample_rate=48000`, seconds);
}

/** A tone of an hour, which ffmpeg takes seconds to read. */
export async function longTone(): Promise<Buffer> {
  await using folder = await temporaryFolder();
  const [minute, hour] = [join(folder.path, 'minute.webm'), join(folder.path, 'hour.webm')];
  const encode = ['-c:a', 'libopus', '-b:a', '16k', '-f', 'webm'];
  await ffmpeg('-f', 'lavfi', '-t', '60', '-i', 'sine=frequency=440:sample_rate=48000', ...encode, minute);
  await ffmpeg('-stream_loop', '59', '-i', minute, '-c', 'copy', '-f', 'webm', hour);
  return await readFile(hour);
}

/** A tone with filling after it, of exactly `sizeBytes`: passes for a recording when it is uploaded. */
export async function padded(sizeBytes: number): Promise<Buffer> {
  const head = await tone(440);
  return Buffer.concat([head, Buffer.alloc(Math.max(0, sizeBytes - head.length), 7)]).subarray(0, sizeBytes);
}
