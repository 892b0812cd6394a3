const unknown = 'unknown technology';

/** Drops sessions without a known technology. Source: product specification, section 5. */
export function withKnownTechnology<Item extends { technology?: string | null }>(items: readonly Item[]): Item[] {
  return items.filter(({ technology }) => {
    const name = technology?.trim().toLowerCase() ?? '';
    return name !== '' && name !== unknown;
  });
}
