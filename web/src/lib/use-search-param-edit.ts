import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';

/**
 * The address's search parameters, and a function that edits a copy of them without a new history entry or a scroll.
 * Edits that follow each other before the next render add up, which those of `useSearchParams` do not.
 */
export function useSearchParamEdit(): [URLSearchParams, (edit: (params: URLSearchParams) => void) => void] {
  const [params, setParams] = useSearchParams();
  const latest = useRef(params);
  useEffect(() => {
    latest.current = params;
  }, [params]);
  const change = (edit: (params: URLSearchParams) => void) => {
    const changed = new URLSearchParams(latest.current);
    edit(changed);
    latest.current = changed;
    setParams(changed, { replace: true, preventScrollReset: true });
  };
  return [params, change];
}
