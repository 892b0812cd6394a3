import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A folder that is removed at the end of the scope (`await using`). */
export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'recording-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Runs ffmpeg to create a test file. */
export function ffmpeg(...args: string[]) {
  return run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args]);
}

/** Speaks a text with flite and encodes it as Chromium's MediaRecorder does: Opus in WebM, without duration or cues. */
export async function speakAsWebm(text: string, folder: string): Promise<string> {
  const wavPath = join(folder, 'spoken.wav');
  const webmPath = join(folder, 'spoken.webm');
  await run('flite', ['-voice', 'slt', '-t', text, '-o', wavPath]);
  await ffmpeg('-i', wavPath, '-ar', '48000', '-c:a', 'libopus', '-b:a', '64k', '-f', 'webm', '-live', '1', webmPath);
  return webmPath;
}

/** The 16 kHz mono WAV of a recording. */
export async function wavOf(path: string, folder: string): Promise<string> {
  const wavPath = join(folder, 'heard.wav');
  await ffmpeg('-i', path, '-ac', '1', '-ar', '16000', wavPath);
  return wavPath;
}

/** The share of spoken words found in the transcript, in order (longest common subsequence over the number spoken). */
export function wordAccuracy(spoken: string, heard: string): number {
  const wordsOf = (text: string) => text.toLowerCase().match(/[a-z0-9']+/g) ?? [];
  const [a, b] = [wordsOf(spoken), wordsOf(heard)];
  let row = new Array<number>(b.length + 1).fill(0);
  for (const word of a) {
    const next = [0];
    for (let j = 1; j <= b.length; j++)
      next.push(word === b[j - 1] ? row[j - 1]! + 1 : Math.max(row[j]!, next[j - 1]!));
    row = next;
  }
  return row[b.length]! / a.length;
}
