import { IconBadgeCc, IconBadgeCcFilled } from '@tabler/icons-react';
import { IconToggle } from '../session/icon-toggle.tsx';
import type { Captions } from './use-captions.ts';

/** Switches captions on and off. Shows nothing where the browser cannot keep the sound on the device. */
export function CaptionsButton({ captions }: { captions: Captions }) {
  if (!captions.offered) return null;
  const Icon = captions.shown ? IconBadgeCcFilled : IconBadgeCc;
  return (
    <IconToggle label="Live captions" isOn={captions.shown} onChange={captions.show}>
      <Icon size={18} />
    </IconToggle>
  );
}
