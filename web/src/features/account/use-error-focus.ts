import { type RefObject, useEffect, useRef } from 'react';

/** After each failed attempt the first field at fault has the focus. */
export function useErrorFocus(attempts: number): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('input[aria-invalid="true"]')?.focus();
  }, [attempts]);
  return form;
}
