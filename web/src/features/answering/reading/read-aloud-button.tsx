import { ActionIcon } from '@mantine/core';
import { IconVolume, IconVolumeOff } from '@tabler/icons-react';
import type { ReadAloudChoice } from './use-read-aloud-choice.ts';

/** Turns reading aloud on and off; nothing where the browser has no voice. */
export function ReadAloudButton({ choice }: { choice: ReadAloudChoice }) {
  if (!choice.available) return null;
  const Icon = choice.chosen ? IconVolume : IconVolumeOff;
  return (
    <ActionIcon
      variant="default"
      size="input-xs"
      aria-label="Read the question aloud"
      aria-pressed={choice.chosen}
      title={`Read the question aloud: ${choice.chosen ? 'on' : 'off'}`}
      onClick={() => choice.choose(!choice.chosen)}
    >
      <Icon size={16} />
    </ActionIcon>
  );
}
