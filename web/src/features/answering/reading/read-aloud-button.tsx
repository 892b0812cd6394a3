import { IconVolume, IconVolumeOff } from '@tabler/icons-react';
import { IconToggle } from '../session/icon-toggle.tsx';
import type { ReadAloudChoice } from './use-read-aloud-choice.ts';

/** Switches reading aloud on and off. Shows nothing where the browser has no voice. */
export function ReadAloudButton({ choice }: { choice: ReadAloudChoice }) {
  if (!choice.available) return null;
  const Icon = choice.chosen ? IconVolume : IconVolumeOff;
  return (
    <IconToggle label="Read the question aloud" isOn={choice.chosen} onChange={choice.choose}>
      <Icon size={16} />
    </IconToggle>
  );
}
