import { useEffect } from 'react';

const product = 'Interview Preparation Platform';

/** 'Interview History · Interview Preparation Platform'; the product alone where there is no title. */
export const pageTitle = (title: string): string => (title === '' ? product : `${title} · ${product}`);

/** Says in the tab where one is. A screen overrides its route's title by calling this with what it has loaded. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = pageTitle(title);
  }, [title]);
}
