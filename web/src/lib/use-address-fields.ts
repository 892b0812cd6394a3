import { useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** New values by field name: '' removes a field, a list repeats it. */
type FieldChanges = Readonly<Record<string, string | readonly string[]>>;

/**
 * The fields in the URL's fragment (`#view=email&open=…`), and a function that changes some of them without a new history
 * entry or a scroll. They may contain emails: browsers don't send fragments, while queries end up in the server's logs.
 * Changes made before the next render are merged.
 */
export function useAddressFields(): [URLSearchParams, (changes: FieldChanges) => void] {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const fields = useMemo(() => new URLSearchParams(hash.slice(1)), [hash]);
  const latest = useRef(fields);
  useEffect(() => {
    latest.current = fields;
  }, [fields]);
  const change = (changes: FieldChanges) => {
    const changed = new URLSearchParams(latest.current);
    for (const [name, value] of Object.entries(changes)) {
      if (typeof value === 'string' && value !== '') changed.set(name, value);
      else changed.delete(name);
      if (typeof value !== 'string') for (const each of value) changed.append(name, each);
    }
    latest.current = changed;
    void navigate({ hash: changed.toString() }, { replace: true, preventScrollReset: true });
  };
  return [fields, change];
}
