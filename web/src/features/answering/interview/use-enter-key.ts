import { useEffect } from 'react';

/** Elements that handle Enter themselves. */
const handlesEnter = 'a, button, input, textarea, select, [role="menu"], [role="dialog"], [contenteditable="true"]';

/** Calls `onEnter` on Enter, unless the focused element handles it. Key repeats are ignored. */
export function useEnterKey(enabled: boolean, onEnter: () => void): void {
  useEffect(() => {
    if (!enabled) return;
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.repeat || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(handlesEnter)) return;
      event.preventDefault();
      onEnter();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [enabled, onEnter]);
}
