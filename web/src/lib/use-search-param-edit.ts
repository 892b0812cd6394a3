import { useSearchParams } from 'react-router-dom';

/** The address's search parameters, and a function that edits a copy of them without a new history entry or a scroll. */
export function useSearchParamEdit(): [URLSearchParams, (edit: (params: URLSearchParams) => void) => void] {
  const [params, setParams] = useSearchParams();
  const change = (edit: (params: URLSearchParams) => void) =>
    setParams(
      (previous) => {
        const changed = new URLSearchParams(previous);
        edit(changed);
        return changed;
      },
      { replace: true, preventScrollReset: true },
    );
  return [params, change];
}
