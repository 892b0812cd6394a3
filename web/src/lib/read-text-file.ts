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
