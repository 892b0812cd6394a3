import { createContext, type ReactNode, type RefObject, useEffect, useRef } from 'react';

/** The last page shown, if there was one before the router loaded. */
export const LastPage = createContext<RefObject<string | null> | null>(null);

interface MainContentProps {
  /** Identifies the page; changes with its layout too. */
  page: string;
  /** The last page shown; null before the first. Outlives this component, which is replaced when the layout changes. */
  lastPage: RefObject<string | null>;
  children: ReactNode;
}

/** The page's content. Takes the focus on each new page, so that keyboard and screen reader users start here. */
export function MainContent({ page, lastPage, children }: MainContentProps) {
  const main = useRef<HTMLElement>(null);

  useEffect(() => {
    // On the first page the focus stays where the browser puts it.
    const isFirst = lastPage.current === null;
    if (lastPage.current === page) return;
    lastPage.current = page;
    if (isFirst) return;
    main.current?.focus({ preventScroll: true });
  }, [page, lastPage]);

  return (
    <main id="content" ref={main} tabIndex={-1}>
      {children}
    </main>
  );
}
