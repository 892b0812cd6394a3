import { useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/**
 * The fields in the address's fragment (`#view=email&open=…`), and a function that edits a copy of them without a new history
 * entry or a scroll. They may be emails: browsers keep a fragment to themselves, while a query goes to the server and its logs.
 * Edits that follow each other before the next render add up.
 */
export function useAddressFields(): [URLSearchParams, (edit: (fields: URLSearchParams) => void) => void] {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const fields = useMemo(() => new URLSearchParams(hash.slice(1)), [hash]);
  const latest = useRef(fields);
  useEffect(() => {
    latest.current = fields;
  }, [fields]);
  const change = (edit: (fields: URLSearchParams) => void) => {
    const changed = new URLSearchParams(latest.current);
    edit(changed);
    latest.current = changed;
    void navigate({ hash: changed.toString() }, { replace: true, preventScrollReset: true });
  };
  return [fields, change];
}
