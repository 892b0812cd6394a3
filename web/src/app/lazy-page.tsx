import { type ComponentType, lazy, type ReactElement, useMemo } from 'react';
import { type LoadPage, loadedPage } from './loaded-pages.ts';

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
