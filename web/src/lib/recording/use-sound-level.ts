import { type RefObject, useEffect, useRef, useState } from 'react';
import { isHeard, type SoundLog, silenceMs, soundLevel } from './sound-level.ts';

const readEveryMs = 60;

/** Whether there was sound: not yet, recently, or not for five seconds. */
export type Hearing = 'listening' | 'heard' | 'silent';

/** An analyser of a stream; null if Web Audio rejects the stream, which the recorder may still accept. */
function listenTo(stream: MediaStream): { context: AudioContext; analyser: AnalyserNode } | null {
  try {
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 1024;
    context.createMediaStreamSource(stream).connect(analyser);
    return { context, analyser };
  } catch (error) {
    console.warn('Cannot measure the sound level', error);
    return null;
  }
}

/**
 * Measures a stream's loudness. The level is written to the meter element's custom property `--level`, without a
 * render. A new `watch` restarts the silence timer.
 * @param log receives the findings
 */
export function useSoundLevel(
  stream: MediaStream | null,
  meter: RefObject<HTMLElement | null>,
  watch: string,
  log: RefObject<SoundLog>,
): Hearing {
  const [hearing, setHearing] = useState<Hearing>('listening');
  const quietSinceMs = useRef(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new watch restarts the timer
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
        // Some browsers start audio only after a click. Don't report silence until then.
        quietSinceMs.current = performance.now();
        log.current.incomplete = true;
        return;
      }
      analyser.getFloatTimeDomainData(samples);
      const level = soundLevel(samples);
      meter.current?.style.setProperty('--level', level.toFixed(3));
      log.current.measured = true;
      if (document.hidden) log.current.incomplete = true;
      if (isHeard(level)) {
        log.current.heard = true;
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
  }, [stream, meter, log]);

  return hearing;
}
