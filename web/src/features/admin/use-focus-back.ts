import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * Holds the id of what was under edit for the one drawing that follows the edit's end: whatever is drawn anew later
 * leaves the focus where it is.
 */
export function useJustEdited(): [id: string | null, setId: (id: string | null) => void] {
  const [id, setId] = useState<string | null>(null);
  useEffect(() => {
    // The effects of rows, which are children, have run by now.
    if (id !== null) setId(null);
  }, [id]);
  return [id, setId];
}

/** For the button that an edit began at: it takes the focus back when the edit ends. */
export function useFocusBack(justEdited: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (justEdited) button.current?.focus();
  }, [justEdited]);
  return button;
}
