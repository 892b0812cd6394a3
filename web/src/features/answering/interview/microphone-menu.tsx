import { ActionIcon, Menu } from '@mantine/core';
import { IconMicrophone } from '@tabler/icons-react';
import type { InputDevice } from '../../../lib/recording/microphone.ts';

interface MicrophoneMenuProps {
  devices: readonly InputDevice[];
  deviceId: string | undefined;
  /** Whether switching discards the current recording. */
  startsAgain: boolean;
  disabled: boolean;
  onChoose: (deviceId: string) => void;
}

/** Shows the microphone in use, and lets the candidate switch. */
export function MicrophoneMenu({ devices, deviceId, startsAgain, disabled, onChoose }: MicrophoneMenuProps) {
  if (devices.length === 0) return null;
  const current = devices.find(({ id }) => id === deviceId);
  return (
    <Menu width={300} position="top-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size={50}
          disabled={disabled}
          aria-label={`Choose microphone (current: ${current?.label ?? 'browser default'})`}
          title={current?.label}
        >
          <IconMicrophone size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{startsAgain ? 'Microphone (switching restarts this answer)' : 'Microphone'}</Menu.Label>
        <Menu.RadioGroup value={deviceId ?? null} onChange={onChoose}>
          {devices.map(({ id, label }) => (
            <Menu.RadioItem key={id} value={id}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
