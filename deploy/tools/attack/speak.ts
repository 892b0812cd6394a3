import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeFolder } from '@interview-prep/local/data-folder';

const run = promisify(execFile);

/** A text spoken by flite, as WAV. */
export async function speak(text: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'interview-prep-attack-'));
  try {
    const path = join(folder, 'spoken.wav');
    await run('flite', ['-voice', 'slt', '-t', text, '-o', path]);
    return await readFile(path);
  } finally {
    await removeFolder(folder);
  }
}
