import { type RefObject, useEffect, useRef, useState } from 'react';
import { isHeard, silenceMs, soundLevel } from './sound-level.ts';

const readEveryMs = 60;

/** Whether something was heard: not yet, lately, or not for five seconds. */
export type Hearing = 'listening' | 'heard' | 'silent';

/** What reads a stream's loudness; null where the browser's audio refuses the stream, which the recorder may well take. */
function listenTo(stream: MediaStream): { context: AudioContext; analyser: AnalyserNode } | null {
  try {
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 1024;
    context.createMediaStreamSource(stream).connect(analyser);
    return { context, analyser };
  } catch (error) {
    console.warn('The level of the sound cannot be shown', error);
    return null;
  }
}

/**
 * Reads a stream's loudness. The level goes straight to the meter element as its custom property `--level`
 * (no render sixteen times a second); what changes rarely is returned. With a new `watch` the silence counts afresh.
 */
export function useSoundLevel(
  stream: MediaStream | null,
  meter: RefObject<HTMLElement | null>,
  watch: string,
): Hearing {
  const [hearing, setHearing] = useState<Hearing>('listening');
  const quietSinceMs = useRef(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new watch begins anew, whatever it is
  useEffect(() => {
    quietSinceMs.current = performance.now();
    setHearing('listening');
  }, [stream, watch]);

  useEffect(() => {
    const listening = stream && listenTo(stream);
    if (!listening) return;
    const { context, analyser } = listening;
    const samples = new Float32Array(analyser.fftSize);

    const read = () => {
      if (context.state !== 'running') {
        // Some browsers let it run only after the first click: no reading, so no complaint about silence.
        quietSinceMs.current = performance.now();
        return;
      }
      analyser.getFloatTimeDomainData(samples);
      const level = soundLevel(samples);
      meter.current?.style.setProperty('--level', level.toFixed(3));
      if (isHeard(level)) {
        quietSinceMs.current = performance.now();
        setHearing('heard');
      } else if (performance.now() - quietSinceMs.current > silenceMs) {
        setHearing('silent');
      }
    };
    const resume = () => void context.resume();
    resume();
    const timer = setInterval(read, readEveryMs);
    window.addEventListener('pointerdown', resume);
    window.addEventListener('keydown', resume);
    return () => {
      clearInterval(timer);
      window.removeEventListener('pointerdown', resume);
      window.removeEventListener('keydown', resume);
      void context.close();
    };
  }, [stream, meter]);

  return hearing;
}
