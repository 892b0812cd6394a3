import { useEffect } from 'react';

const product = 'Interview Preparation Platform';

/** 'Interview History · Interview Preparation Platform'; the product alone where there is no title. */
export function pageTitle(title: string): string {
  return title === '' ? product : `${title} · ${product}`;
}

/** Sets the tab's title. A screen overrides its route's title once its data is loaded. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = pageTitle(title);
  }, [title]);
}
