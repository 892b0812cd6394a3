import { type ReactNode, type RefObject, useEffect, useRef } from 'react';

interface MainContentProps {
  /** Identifies the page; changes with its layout too. */
  page: string;
  /** The last page shown. Outlives this component, which a page with another layout replaces. */
  lastPage: RefObject<string>;
  children: ReactNode;
}

/** The page's content. Takes the focus on each new page, so that keyboard and screen reader start here. */
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
