/** Far more than thousands of rows need. */
const maxBytes = 5 * 1024 * 1024;

/** Reads a chosen file as UTF-8. @returns the content, or why it can't be read */
export async function readTextFile(file: File): Promise<{ content: string } | { refusal: string }> {
  if (file.size > maxBytes) return { refusal: 'The file is larger than 5 MB; split it' };
  if (file.size === 0) return { refusal: 'The file is empty; choose another one' };
  const bytes = await file.arrayBuffer().catch(() => null);
  if (!bytes) return { refusal: 'The file cannot be read; choose it again' };
  try {
    return { content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { refusal: 'The file is not UTF-8 text; save it as “CSV UTF-8” and choose it again' };
  }
}
/** Downloads text or bytes as a file. */
export function saveFile(name: string, content: string | Blob, mediaType: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: mediaType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** 'interview-sets-2026-11-20.csv', by the reader's calendar. */
export function datedName(name: string, extension: string, now: Date = new Date()): string {
  const [year, month, day] = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return `${name}-${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}.${extension}`;
}

/** A file name from a title: 'closures-and-scope'. @param otherwise used if the title has no letters */
export function fileSlug(title: string, otherwise: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\w]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return slug || otherwise;
}
