/**
 * What two names of technologies are compared by: case, width, spaces and invisible characters make no difference.
 * Empty for a name that shows nothing.
 */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}
