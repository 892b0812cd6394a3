import { useLayoutEffect } from 'react';
import { pageTitle } from './page-title.ts';

/** The route's own title, set before the effects of its screen, which may say it more exactly (see usePageTitle). */
export function useRouteTitle(title: string): void {
  useLayoutEffect(() => {
    document.title = pageTitle(title);
  }, [title]);
}
