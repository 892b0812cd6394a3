import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDamage, type ShippedFile } from '../shipped-file.ts';

/** The weights that ship with the product. */
const shipped: ShippedFile = {
  path: fileURLToPath(new URL('../../../models/whisper-base-q8_0.bin', import.meta.url)),
  sizeBytes: 81_771_571,
  sha256: 'edb7e69ef5bce97fa634352f8e18f35be11f6317bed359d8acae4c41e95d7d1f',
};
/** The first bytes of a ggml file: the magic number 0x67676d6c, little-endian. */
const ggmlMagic = 'lmgg';

/** A Whisper model in ggml format. */
export interface ModelFile {
  path: string;
  /** The display name, e.g. 'base-q8_0'. */
  name: string;
}

/** The model at a path; by default the shipped one. */
export function modelFile(path?: string): ModelFile {
  const file = path ?? shipped.path;
  return {
    path: file,
    name: basename(file)
      .replace(/^(?:ggml|whisper)-/, '')
      .replace(/\.bin$/, ''),
  };
}

/** Files that passed the check, by path, size and time, so that 82 MB are hashed once and not for each child. */
const checked = new Set<string>();

/** Why a model file can't be used, in a sentence; null if it can. */
export async function findModelProblem({ path }: ModelFile): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return `The speech model ${path} is missing.`;
  const key = `${path} ${found.size} ${found.mtimeMs}`;
  if (checked.has(key)) return null;
  const problem = path === shipped.path ? await findDamage('The speech model', shipped) : await findFormatProblem(path);
  if (problem === null) checked.add(key);
  return problem;
}

async function findFormatProblem(path: string): Promise<string | null> {
  await using file = await open(path, 'r');
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
  return buffer.toString('latin1') === ggmlMagic ? null : `The speech model ${path} is not a ggml file.`;
}
