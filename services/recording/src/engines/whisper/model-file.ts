import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The weights that the product comes with. */
const shipped = {
  path: fileURLToPath(new URL('../../../models/whisper-base-q5_1.bin', import.meta.url)),
  sizeBytes: 59_710_611,
  sha256: 'd01083c0681cedcca23fc4149a0f66f879d015dca5d62c5f999ca0c5dfaebee3',
};
/** The first bytes of a ggml file: the magic number 0x67676d6c, little-endian. */
const ggmlMagic = 'lmgg';
const chunkBytes = 256 * 1024;

/** A Whisper model in ggml format. */
export interface ModelFile {
  path: string;
  /** As it is shown, e.g. 'base-q5_1'. */
  name: string;
}

/** The model at a path; the shipped one where no path is given. */
export function modelFile(path?: string): ModelFile {
  const file = path ?? shipped.path;
  return {
    path: file,
    name: basename(file)
      .replace(/^(?:ggml|whisper)-/, '')
      .replace(/\.bin$/, ''),
  };
}

/** The files that were found good, by path, size and time, so that 60 MB are read once and not for each child. */
const checked = new Set<string>();

/** What is wrong with a model file, in a sentence; null where it can be used. */
export async function findModelProblem({ path }: ModelFile): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return `The speech model ${path} is missing.`;
  const key = `${path} ${found.size} ${found.mtimeMs}`;
  if (checked.has(key)) return null;
  const problem = path === shipped.path ? await findShippedProblem(path, found.size) : await findFormatProblem(path);
  if (problem === null) checked.add(key);
  return problem;
}

async function findShippedProblem(path: string, sizeBytes: number): Promise<string | null> {
  if (sizeBytes !== shipped.sizeBytes)
    return `The speech model ${path} is damaged: it has ${sizeBytes} bytes, expected ${shipped.sizeBytes}.`;
  const sha256 = await sha256Of(path);
  if (sha256 === shipped.sha256) return null;
  return `The speech model ${path} is damaged: its SHA-256 is ${sha256}, expected ${shipped.sha256}.`;
}

/** Reads into one small buffer: a stream's many would stay in the worker's memory for long. */
async function sha256Of(path: string): Promise<string> {
  await using file = await open(path, 'r');
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
  }
}

async function findFormatProblem(path: string): Promise<string | null> {
  await using file = await open(path, 'r');
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
  return buffer.toString('latin1') === ggmlMagic ? null : `The speech model ${path} is no ggml file.`;
}
