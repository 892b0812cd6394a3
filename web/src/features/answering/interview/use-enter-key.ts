import { useEffect } from 'react';

/** Where Enter has a meaning of its own. */
const ownMeaning = 'a, button, input, textarea, select, [role="menu"], [role="dialog"], [contenteditable="true"]';

/** Enter goes on, wherever the focus is, unless it does something there. A held key counts once. */
export function useEnterKey(enabled: boolean, onEnter: () => void): void {
  useEffect(() => {
    if (!enabled) return;
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.repeat || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(ownMeaning)) return;
      event.preventDefault();
      onEnter();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [enabled, onEnter]);
}
