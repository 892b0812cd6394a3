import { type CSSProperties, useState } from 'react';
import { useGetSettingsQuery } from '../lib/api/base-api.ts';
import classes from './set-icon.module.css';

/** How a set's icon is drawn: its hue in degrees, and the heights of five bars, 4–30 of 48 units. */
interface IconShape {
  hue: number;
  bars: readonly number[];
}

const barCount = 5;
const hues = 24;

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}

/** The same seed gives the same icon, on every machine. */
export function iconOf(seed: string): IconShape {
  const hue = ((hash(`${seed}/hue`) % hues) * 360) / hues;
  const bars = Array.from({ length: barCount }, (_, index) => 4 + (hash(`${seed}/${index}`) % 14) * 2);
  return { hue, bars };
}

/** A set's icon: from the avatar service if one is configured and reachable, else drawn here from the same seed. */
export function SetIcon({ seed }: { seed: string }) {
  const { data: settings } = useGetSettingsQuery();
  const [unreachable, setUnreachable] = useState(false);
  const template = settings?.avatarUrl;

  if (template && !unreachable) {
    return (
      <img
        className={classes.icon}
        src={template.replace('{seed}', encodeURIComponent(seed))}
        width={48}
        height={48}
        alt=""
        loading="lazy"
        onError={() => setUnreachable(true)}
      />
    );
  }
  const { hue, bars } = iconOf(seed);
  return (
    <svg className={classes.icon} style={{ '--hue': hue } as CSSProperties} viewBox="0 0 48 48" aria-hidden="true">
      {bars.map((height, index) => {
        const x = 10 + index * 7;
        return <line key={x} x1={x} x2={x} y1={24 - height / 2} y2={24 + height / 2} />;
      })}
    </svg>
  );
}
