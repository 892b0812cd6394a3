import { ActionIcon } from '@mantine/core';
import { IconBadgeCc, IconBadgeCcFilled } from '@tabler/icons-react';
import type { Captions } from './use-captions.ts';

/** Turns captions on and off; nothing where the browser cannot be held to the device. */
export function CaptionsButton({ captions }: { captions: Captions }) {
  if (!captions.offered) return null;
  const Icon = captions.shown ? IconBadgeCcFilled : IconBadgeCc;
  return (
    <ActionIcon
      variant="default"
      size="input-xs"
      aria-label="Live captions"
      aria-pressed={captions.shown}
      title={`Live captions: ${captions.shown ? 'on' : 'off'}`}
      onClick={() => captions.show(!captions.shown)}
    >
      <Icon size={18} />
    </ActionIcon>
  );
}
