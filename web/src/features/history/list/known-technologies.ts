const unknown = 'unknown technology';

/** Drops sessions without a technology, or of one that is not known. Source: product specification, section 5. */
export function withKnownTechnology<Item extends { technology?: string | null }>(items: readonly Item[]): Item[] {
  return items.filter(({ technology }) => {
    const name = technology?.trim().toLowerCase() ?? '';
    return name !== '' && name !== unknown;
  });
}
