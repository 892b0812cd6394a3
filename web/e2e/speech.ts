import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Spoken text for Chromium's fake microphone: a 48 kHz mono WAV in a temporary folder. */
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

/** Synthesizes text with flite, followed by a second of silence, so that a loop is recognizable. */
export function speak(text: string): Promise<Speech> {
  return microphone(async (path, folder) => {
    const spoken = join(folder, 'spoken.wav');
    await run('flite', ['-voice', 'slt', '-t', text, '-o', spoken]);
    await run('sox', [spoken, '-r', '48000', '-c', '1', path, 'pad', '0', '1']);
  });
}

/** A two-second tone: an answer without speech, so that the speech engine isn't used. */
export function tone(): Promise<Speech> {
  return microphone((path) => run('sox', ['-n', '-r', '48000', '-c', '1', path, 'synth', '2', 'sine', '440']));
}
