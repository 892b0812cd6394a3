import { type ComponentType, lazy, type ReactElement, useMemo } from 'react';

type Page = { default: ComponentType };
type LoadPage = () => Promise<Page>;

const loaded = new Map<LoadPage, Page>();

/** Loads a page's code and caches it. */
export async function loadPage(load: LoadPage): Promise<void> {
  loaded.set(load, await load());
}

/** A page's code; undefined until it is loaded. */
function loadedPage(load: LoadPage): Page | undefined {
  return loaded.get(load);
}

interface LazyPageProps {
  load: LoadPage;
  Lazy: ComponentType;
}

function LazyPage({ load, Lazy }: LazyPageProps) {
  // React keeps this component between pages, so loaded code is keyed by `load`.
  const loaded = useMemo(() => loadedPage(load), [load]);
  const Page = loaded?.default ?? Lazy;
  return <Page />;
}

/**
 * A page whose code loads when it is shown. Code already loaded renders without a fallback: React's `lazy` would still await it,
 * and React delays replacing a fallback by 300 ms.
 */
export function lazyPage(load: LoadPage): ReactElement {
  return <LazyPage load={load} Lazy={lazy(load)} />;
}
