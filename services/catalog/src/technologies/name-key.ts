/**
 * Normalises a technology's name for comparing: case, width, spaces and invisible characters make no difference.
 * @returns '' for a name without visible characters
 */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}
