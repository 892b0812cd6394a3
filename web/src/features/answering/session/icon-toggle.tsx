import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';

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
