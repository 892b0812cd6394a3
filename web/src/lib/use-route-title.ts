import { useLayoutEffect } from 'react';
import { pageTitle } from './page-title.ts';

/** Sets the route's title before its screen's effects run, which may override it (see usePageTitle). */
export function useRouteTitle(title: string): void {
  useLayoutEffect(() => {
    document.title = pageTitle(title);
  }, [title]);
}
