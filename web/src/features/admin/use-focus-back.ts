import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * The id whose edit has just ended, for one render only: later renders must not move the focus.
 */
export function useJustEdited(): [id: string | null, setId: (id: string | null) => void] {
  const [id, setId] = useState<string | null>(null);
  useEffect(() => {
    // The effects of rows (children) have already run.
    if (id !== null) setId(null);
  }, [id]);
  return [id, setId];
}

/** Focuses an Edit button again when its edit ends. */
export function useFocusBack(justEdited: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (justEdited) button.current?.focus();
  }, [justEdited]);
  return button;
}
