import type { ComponentType } from 'react';

type Page = { default: ComponentType };
export type LoadPage = () => Promise<Page>;

const loaded = new Map<LoadPage, Page>();

/** Loads a page's code and caches it. */
export async function loadPage(load: LoadPage): Promise<void> {
  loaded.set(load, await load());
}

/** A page's code; undefined until it is loaded. */
export function loadedPage(load: LoadPage): Page | undefined {
  return loaded.get(load);
}
