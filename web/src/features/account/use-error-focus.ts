import { type RefObject, useEffect, useRef } from 'react';

/** Focuses the first invalid field after each failed attempt. */
export function useErrorFocus(attempts: number): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('input[aria-invalid="true"]')?.focus();
  }, [attempts]);
  return form;
}
