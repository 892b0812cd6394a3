import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeFolder } from '@interview-prep/local/data-folder';

const execute = promisify(execFile);

/** Words spoken by flite, as a browser records them. */
export async function speak(words: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'interview-prep-spoken-'));
  const [wav, webm] = [join(folder, 'spoken.wav'), join(folder, 'spoken.webm')];
  await execute('flite', ['-voice', 'slt', '-t', words, '-o', wav]);
  await execute('ffmpeg', ['-nostdin', '-loglevel', 'error', '-i', wav, '-c:a', 'libopus', '-b:a', '24k', webm]);
  const bytes = await readFile(webm);
  await removeFolder(folder);
  return bytes;
}
