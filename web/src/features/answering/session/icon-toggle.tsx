import { ActionIcon } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/**
 * A setting stored in this browser for each user; off by default.
 * @param name the setting's part of the local storage key
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

interface IconToggleProps {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  /** The current state's icon. */
  children: ReactNode;
}

/** A toggle button with an icon. */
export function IconToggle({ label, isOn, onChange, children }: IconToggleProps) {
  return (
    <ActionIcon
      variant="default"
      size="input-xs"
      aria-label={label}
      aria-pressed={isOn}
      title={`${label}: ${isOn ? 'on' : 'off'}`}
      onClick={() => onChange(!isOn)}
    >
      {children}
    </ActionIcon>
  );
}
