import { type ReactNode, type RefObject, useEffect, useRef } from 'react';

interface MainContentProps {
  /** What is shown: changes with each page, also with what surrounds it. */
  page: string;
  /** The page that was come to last; outlives this component, which a page with other surroundings replaces. */
  lastPage: RefObject<string>;
  children: ReactNode;
}

/** The page's content. A new page begins here for keyboard and screen reader, as it does for the eye. */
export function MainContent({ page, lastPage, children }: MainContentProps) {
  const main = useRef<HTMLElement>(null);

  useEffect(() => {
    if (lastPage.current === page) return;
    lastPage.current = page;
    main.current?.focus({ preventScroll: true });
  }, [page, lastPage]);

  return (
    <main id="content" ref={main} tabIndex={-1}>
      {children}
    </main>
  );
}
