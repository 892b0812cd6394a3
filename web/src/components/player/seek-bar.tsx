import { type KeyboardEvent, lazy, type PointerEvent, Suspense, useEffect, useRef, useSyncExternalStore } from 'react';
import { countOf } from '../../lib/formats.ts';
import classes from './player.module.css';
import { playerAction } from './player-keys.ts';
import type { Playback } from './use-playback.ts';

/** The available playback speeds. */
export const playbackRates: readonly number[] = [0.75, 1, 1.25, 1.5, 2];

/** The next faster or slower speed; clamped at both ends. */
export function nextRate(rate: number, direction: 1 | -1): number {
  return playbackRates[playbackRates.indexOf(rate) + direction] ?? rate;
}

/** A position in milliseconds as screen readers say it: '1 minute 5 seconds'. */
function positionInWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const rest = countOf(seconds % 60, 'second');
  return minutes > 0 ? `${countOf(minutes, 'minute')} ${rest}` : rest;
}

const Waveform = lazy(() => import('./waveform.tsx'));

interface SeekBarProps {
  playback: Playback;
  label: string;
  peaks: number[] | undefined;
}

/** Shows the position in the recording; seeks by pointer or the keys of player-keys.ts. */
export function SeekBar({ playback, label, peaks }: SeekBarProps) {
  const { clock, state } = playback;
  const bar = useRef<HTMLDivElement>(null);
  const durationMs = state.durationMs ?? 0;
  const seconds = useSyncExternalStore(clock.subscribe, () => Math.floor(clock.read() / 1000));

  useEffect(() => {
    const draw = () => {
      const part = durationMs > 0 ? Math.min(1, clock.read() / durationMs) : 0;
      bar.current?.style.setProperty('--heard', String(part));
    };
    draw();
    return clock.subscribe(draw);
  }, [clock, durationMs]);

  const seekToPointer = (event: PointerEvent<HTMLDivElement>) => {
    if (durationMs === 0) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (width > 0) playback.seek(((event.clientX - left) / width) * durationMs);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const action = playerAction(event, clock.read(), durationMs);
    if (!action) return;
    event.preventDefault();
    if (action.type === 'toggle') playback.toggle();
    else if (action.type === 'seek') playback.seek(action.toMs);
    else playback.setRate(nextRate(playback.rate, action.type === 'faster' ? 1 : -1));
  };

  return (
    <div
      ref={bar}
      className={classes.seek}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs / 1000)}
      aria-valuenow={seconds}
      aria-valuetext={`${positionInWords(seconds * 1000)}${durationMs > 0 ? ` of ${positionInWords(Math.round(durationMs / 1000) * 1000)}` : ''}`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        seekToPointer(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seekToPointer(event);
      }}
    >
      {peaks && peaks.length > 0 && durationMs > 0 ? (
        <Suspense fallback={null}>
          <Waveform peaks={peaks} durationMs={durationMs} clock={clock} />
        </Suspense>
      ) : (
        <div className={classes.track} />
      )}
      <div className={classes.cursor} />
    </div>
  );
}
