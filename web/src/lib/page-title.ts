import { useEffect, useLayoutEffect } from 'react';

/** Sets the route's title before the effects of its screen run, which may override it (see usePageTitle). */
export function useRouteTitle(title: string): void {
  useLayoutEffect(() => {
    document.title = pageTitle(title);
  }, [title]);
}

const product = 'Interview Preparation Platform';

/** 'Interview History · Interview Preparation Platform'; just the product's name without a title. */
function pageTitle(title: string): string {
  return title === '' ? product : `${title} · ${product}`;
}

/** Sets the tab's title. A screen overrides its route's title once its data is loaded. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = pageTitle(title);
  }, [title]);
}
