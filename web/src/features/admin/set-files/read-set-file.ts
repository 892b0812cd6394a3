import { setsFromCsv } from './csv-file.ts';
import type { ReadFile } from './file-set.ts';
import { setsFromJson } from './json-file.ts';

/** Hundreds of sets need far less. */
const maxBytes = 5 * 1024 * 1024;

const rejected = (message: string): ReadFile => ({ sets: [], errors: [{ place: 'File', message }] });

/** Reads a chosen file: JSON by its name or first character, else CSV. */
export async function readSetFile(file: File): Promise<ReadFile> {
  if (file.size > maxBytes) return rejected('The file is larger than 5 MB; split it');
  const bytes = await file.arrayBuffer().catch(() => null);
  if (!bytes) return rejected('The file cannot be read; choose it again');
  const content = decoded(bytes);
  if (content === null) return rejected('The file is not UTF-8 text; save it as “CSV UTF-8” and choose it again');
  const json = /\.json$/i.test(file.name) || /^\uFEFF?\s*[[{]/.test(content);
  return json ? setsFromJson(content) : setsFromCsv(content);
}

function decoded(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
