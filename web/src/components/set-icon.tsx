import { type CSSProperties, useState } from 'react';
import { useGetSettingsQuery } from '../lib/api/base-api.ts';
import classes from './set-icon.module.css';
import { iconOf } from './set-icon-shape.ts';

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
