import { type ComponentType, lazy, type ReactElement, useMemo } from 'react';
import { type LoadPage, loadedPage } from './loaded-pages.ts';

interface LazyPageProps {
  load: LoadPage;
  Lazy: ComponentType;
}

function LazyPage({ load, Lazy }: LazyPageProps) {
  // React keeps this component from one page to the next, so what is loaded goes with `load`.
  const loaded = useMemo(() => loadedPage(load), [load]);
  const Page = loaded?.default ?? Lazy;
  return <Page />;
}

/**
 * A page whose code loads when it is shown. Code that was there before needs no fallback: React's `lazy` awaits it all the same,
 * and what replaces a fallback React shows 300 ms later at the earliest.
 */
export function lazyPage(load: LoadPage): ReactElement {
  return <LazyPage load={load} Lazy={lazy(load)} />;
}
