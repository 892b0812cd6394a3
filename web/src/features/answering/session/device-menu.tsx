import { ActionIcon, Menu } from '@mantine/core';
import { IconMicrophone, IconSettings } from '@tabler/icons-react';
import { Fragment } from 'react';
import type { InputDevice } from '../../../lib/recording/input-devices.ts';

export interface DeviceGroup {
  /** The menu label, such as 'Microphone'. */
  label: string;
  devices: readonly InputDevice[];
  /** The device in use, if known. */
  deviceId: string | undefined;
  onChoose: (deviceId: string) => void;
}

interface DeviceMenuProps {
  groups: readonly DeviceGroup[];
  /** Whether switching discards the current recording. */
  startsAgain: boolean;
  disabled: boolean;
}

/** Shows the devices in use and lets the candidate switch. */
export function DeviceMenu({ groups, startsAgain, disabled }: DeviceMenuProps) {
  const shown = groups.filter(({ devices }) => devices.length > 0);
  if (shown.length === 0) return null;
  const current = shown.map(({ devices, deviceId }) => devices.find(({ id }) => id === deviceId)?.label);
  const inUse = current.map((label) => label ?? 'browser default').join(', ');
  const names = shown.map(({ label }) => label.toLowerCase()).join(' and ');
  const Icon = groups.length > 1 ? IconSettings : IconMicrophone;
  return (
    <Menu width={300} position="top-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size={50}
          disabled={disabled}
          aria-label={`Choose ${names} (current: ${inUse})`}
          title={inUse}
        >
          <Icon size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {shown.map(({ label, devices, deviceId, onChoose }) => (
          <Fragment key={label}>
            <Menu.Label>{startsAgain ? `${label} (switching restarts this answer)` : label}</Menu.Label>
            <Menu.RadioGroup value={deviceId ?? null} onChange={onChoose}>
              {devices.map((device) => (
                <Menu.RadioItem key={device.id} value={device.id}>
                  {device.label}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
