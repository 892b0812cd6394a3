import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A spoken text as Chromium's fake microphone takes it: a 48 kHz mono WAV in a folder of its own. */
export interface Speech {
  path: string;
  seconds: number;
  remove: () => Promise<void>;
}

async function microphone(record: (path: string, folder: string) => Promise<unknown>): Promise<Speech> {
  const folder = await mkdtemp(join(tmpdir(), 'interview-prep-speech-'));
  const path = join(folder, 'microphone.wav');
  await record(path, folder);
  const { stdout } = await run('soxi', ['-D', path]);
  return { path, seconds: Number(stdout), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Speaks a text with flite; a second of silence follows, so that a repetition is heard as one. */
export function speak(text: string): Promise<Speech> {
  return microphone(async (path, folder) => {
    const spoken = join(folder, 'spoken.wav');
    await run('flite', ['-voice', 'slt', '-t', text, '-o', spoken]);
    await run('sox', [spoken, '-r', '48000', '-c', '1', path, 'pad', '0', '1']);
  });
}

/** A tone of two seconds: an answer without speech, so that no speech engine is asked. */
export function tone(): Promise<Speech> {
  return microphone((path) => run('sox', ['-n', '-r', '48000', '-c', '1', path, 'synth', '2', 'sine', '440']));
}
