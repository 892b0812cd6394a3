import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconMicrophone } from '@tabler/icons-react';
import type { InputDevice } from './microphone.ts';

interface MicrophoneMenuProps {
  devices: readonly InputDevice[];
  deviceId: string | undefined;
  /** Whether a change throws away what is being recorded. */
  startsAgain: boolean;
  disabled: boolean;
  onChoose: (deviceId: string) => void;
}

/** Which microphone is used, and the choice of another. */
export function MicrophoneMenu({ devices, deviceId, startsAgain, disabled, onChoose }: MicrophoneMenuProps) {
  if (devices.length === 0) return null;
  const current = devices.find(({ id }) => id === deviceId);
  return (
    <Menu width={300} position="top-end">
      <Menu.Target>
        <ActionIcon
          variant="default"
          size={50}
          disabled={disabled}
          aria-label={`Choose the microphone, now ${current?.label ?? "the browser's choice"}`}
          title={current?.label}
        >
          <IconMicrophone size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{startsAgain ? 'Microphone (a change starts this answer again)' : 'Microphone'}</Menu.Label>
        {devices.map(({ id, label }) => (
          <Menu.Item
            key={id}
            role="menuitemradio"
            aria-checked={id === deviceId}
            rightSection={id === deviceId && <IconCheck size={16} aria-hidden />}
            onClick={() => id !== deviceId && onChoose(id)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
