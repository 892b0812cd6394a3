import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import WaveSurfer from 'wavesurfer.js';
import type { PlaybackClock } from './use-playback.ts';

interface WaveformProps {
  /** Loudness over time, 0–1, from the server: the audio is never decoded just to draw it. */
  peaks: number[];
  durationMs: number;
  clock: PlaybackClock;
}

const barPx = 3;
const gapPx = 2;

/**
 * Draws a recording's waveform and the progress. Display only: the player owns the audio element, and the surrounding
 * seek bar handles pointer and keyboard.
 */
export default function Waveform({ peaks, durationMs, clock }: WaveformProps) {
  const container = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');

  // biome-ignore lint/correctness/useExhaustiveDependencies: a canvas gets its colors only once, so a new color scheme redraws it.
  useEffect(() => {
    if (!container.current) return;
    const style = getComputedStyle(container.current);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const wave = WaveSurfer.create({
      container: container.current,
      // Otherwise the library would mount a second audio element next to the player's.
      media: document.createElement('audio'),
      peaks: [peaks],
      duration: durationMs / 1000,
      height: 'auto',
      barWidth: barPx,
      barGap: gapPx,
      barRadius: barPx,
      barMinHeight: 2,
      normalize: true,
      cursorWidth: 0,
      interact: false,
      waveColor: color('--wave'),
      progressColor: color('--wave-heard'),
    });
    const follow = () => wave.setTime(clock.read() / 1000);
    wave.on('ready', follow);
    const unsubscribe = clock.subscribe(follow);
    return () => {
      unsubscribe();
      wave.destroy();
    };
  }, [peaks, durationMs, clock, scheme]);

  return <div ref={container} style={{ height: '100%' }} aria-hidden />;
}
