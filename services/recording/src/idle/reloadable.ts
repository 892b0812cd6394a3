const drops = new Set<() => void>();

/**
 * A table that is loaded at its first use, and again at the first use after `dropReloadables`.
 * @param load reads it, in milliseconds rather than seconds
 * @returns a function that gives the table
 */
export function reloadable<Table>(load: () => Table): () => Table {
  let loaded: Table | undefined;
  drops.add(() => {
    loaded = undefined;
  });
  return () => {
    loaded ??= load();
    return loaded;
  };
}

/** Lets go of all reloadable tables, so that the next garbage collection frees them. */
export function dropReloadables(): void {
  for (const drop of drops) drop();
}
