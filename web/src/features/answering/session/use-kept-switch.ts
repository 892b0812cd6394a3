import { useState } from 'react';

/**
 * A switch that this browser keeps for a user; off until it is turned on.
 * @param name the switch's part of its local storage key
 */
export function useKeptSwitch(name: string, userId: string): [on: boolean, turn: (on: boolean) => void] {
  const key = `${name}:${userId}`;
  const [on, setOn] = useState(() => localStorage.getItem(key) === 'on');
  const turn = (next: boolean) => {
    setOn(next);
    try {
      if (next) localStorage.setItem(key, 'on');
      else localStorage.removeItem(key);
    } catch (error) {
      console.warn(`The browser does not keep the choice '${name}'`, error);
    }
  };
  return [on, turn];
}
