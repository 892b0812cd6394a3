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
