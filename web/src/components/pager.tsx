import { Pagination } from '@mantine/core';

interface PagerProps {
  page: number;
  pageCount: number;
  turnTo: (page: number) => void;
}

/** Page numbers; renders nothing for a single page. */
export function Pager({ page, pageCount, turnTo }: PagerProps) {
  if (pageCount < 2) return null;
  return (
    <nav aria-label="Pages" style={{ display: 'flex', justifyContent: 'center' }}>
      <Pagination
        total={pageCount}
        value={page}
        onChange={turnTo}
        getItemProps={(each) => ({ 'aria-label': `Page ${each}` })}
        getControlProps={(control) => ({ 'aria-label': control === 'next' ? 'Next page' : 'Previous page' })}
      />
    </nav>
  );
}
