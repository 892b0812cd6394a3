import { useSearchParams } from 'react-router-dom';

/** The filter of the sets, kept in the address: a technology's slug, a search and a page from 1. */
export function useSetFilter() {
  const [params, setParams] = useSearchParams();
  const category = params.get('category') ?? '';
  const search = params.get('search') ?? '';
  return {
    category,
    search,
    page: Number(params.get('page') ?? 1),
    /** Chooses a technology, '' for all, and ends the search. */
    choose: (slug: string) => setParams(slug === '' ? {} : { category: slug }, { preventScrollReset: true }),
    find: (text: string) => setParams(text === '' ? {} : { search: text }, { preventScrollReset: true, replace: true }),
    turnTo: (page: number) =>
      setParams((current) => {
        const next = new URLSearchParams(current);
        if (page === 1) next.delete('page');
        else next.set('page', String(page));
        return next;
      }),
  };
}
