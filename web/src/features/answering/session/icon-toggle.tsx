import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';

interface IconToggleProps {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  /** The icon of the present state. */
  children: ReactNode;
}

/** A button with an icon that switches something on and off. */
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
