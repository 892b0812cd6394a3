import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { type PlaybackEvent, type PlaybackState, playbackReducer, startPlayback } from './playback-reducer.ts';
import { clampMs } from './player-keys.ts';
import { useSharedPlayback } from './shared-playback.tsx';

/** A player's position in milliseconds, followed by the seek bar and the transcript. */
export interface PlaybackClock {
  read(): number;
  /** Calls `listener` on each change. @returns unsubscribes */
  subscribe(listener: () => void): () => void;
  set(ms: number): void;
}

/** A clock at zero. It is not React state: sixty changes per second must not rerender the whole card. */
export function createPlaybackClock(): PlaybackClock {
  let now = 0;
  const listeners = new Set<() => void>();
  return {
    read: () => now,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(ms) {
      if (ms === now) return;
      now = ms;
      for (const listener of [...listeners]) listener();
    },
  };
}

/** A media element with its state, shared by the controls and the transcript of a recording. */
export interface Playback {
  state: PlaybackState;
  clock: PlaybackClock;
  rate: number;
  /** The ref of the audio or video element, whose src must be the address of `state.source`. */
  attach(element: HTMLMediaElement | null): void;
  toggle(): void;
  /** Jumps to a position (milliseconds), and plays from there if `andPlay`. */
  seek(toMs: number, andPlay?: boolean): void;
  /** Plays from one position to another (milliseconds), then pauses. */
  playMoment(fromMs: number, toMs: number): void;
  setRate(rate: number): void;
  retry(): void;
}

/** HTMLMediaElement.HAVE_METADATA: seeking is possible from this state on. */
const hasMetadata = 1;

type Dispatch = (event: PlaybackEvent) => void;

const atMs = (element: HTMLMediaElement) => element.currentTime * 1000;

function play(element: HTMLMediaElement, dispatch: Dispatch): void {
  element.play().catch((error: unknown) => {
    // A pause or a new source aborts a pending play(), and unplayable media fires its own event.
    // That leaves the browser's autoplay policy.
    if (error instanceof DOMException && error.name === 'NotAllowedError') {
      dispatch({ type: 'paused', atMs: atMs(element) });
    }
  });
}

/** Syncs the clock with the element: on each frame during playback, and on each seek. */
function followTime(element: HTMLMediaElement, clock: PlaybackClock): () => void {
  let frame = 0;
  const read = () => clock.set(atMs(element));
  const tick = () => {
    read();
    frame = element.paused ? 0 : requestAnimationFrame(tick);
  };
  const start = () => {
    if (frame === 0) frame = requestAnimationFrame(tick);
  };
  const listeners = { playing: start, timeupdate: read, seeking: read };
  for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener);
  return () => {
    cancelAnimationFrame(frame);
    for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener);
  };
}

/**
 * Controls playback of a recording.
 * @param url the newest link to the media, '' for none
 * @param durationMs from the server: a fresh recording's own header does not know its duration
 * @param renew fetches a new link after one has expired; resolves to '' for none
 */
export function usePlayback(url: string, durationMs: number | null, renew: () => Promise<string>): Playback {
  const [state, dispatch] = useReducer(playbackReducer, undefined, () => startPlayback(url, durationMs));
  const [element, setElement] = useState<HTMLMediaElement | null>(null);
  const [clock] = useState(createPlaybackClock);
  const shared = useSharedPlayback();
  const latest = useRef({ state, renew, shared });
  latest.current = { state, renew, shared };

  useEffect(() => dispatch({ type: 'offered', source: url }), [url]);
  useEffect(() => {
    if (durationMs !== null) dispatch({ type: 'duration', durationMs });
  }, [durationMs]);

  useEffect(() => {
    if (!element) return;
    const listeners = {
      loadedmetadata: () => {
        const { positionMs } = latest.current.state;
        if (positionMs > 0) element.currentTime = positionMs / 1000;
        element.playbackRate = latest.current.shared.rate;
        dispatch({ type: 'ready' });
      },
      durationchange: () => {
        // Infinity until the end is reached, for streamed media.
        if (Number.isFinite(element.duration) && latest.current.state.durationMs === null) {
          dispatch({ type: 'duration', durationMs: Math.round(element.duration * 1000) });
        }
      },
      play: () => latest.current.shared.takeOver(element),
      playing: () => dispatch({ type: 'playing' }),
      pause: () => dispatch({ type: 'paused', atMs: atMs(element) }),
      ended: () => dispatch({ type: 'ended' }),
      error: () => dispatch({ type: 'failed', atMs: atMs(element) }),
    };
    for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener);
    const unfollow = followTime(element, clock);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener);
      unfollow();
      element.pause();
    };
  }, [element, clock]);

  /** The end of the moment that is playing. */
  const momentEndMs = useRef<number | null>(null);
  useEffect(
    () =>
      clock.subscribe(() => {
        if (momentEndMs.current === null || clock.read() < momentEndMs.current) return;
        momentEndMs.current = null;
        dispatch({ type: 'pause-asked' });
        element?.pause();
      }),
    [clock, element],
  );

  const { phase, source } = state;
  useEffect(() => {
    if (phase !== 'renewing') return;
    let left = false;
    const settle = (fresh: string) => {
      if (left) return;
      dispatch({ type: 'offered', source: fresh });
      dispatch({ type: 'not-renewed' });
    };
    latest.current.renew().then(settle, () => settle(''));
    return () => {
      left = true;
    };
  }, [phase]);

  // A new link has the same address as the expired one, so it doesn't trigger a load by itself.
  const loaded = useRef(source);
  useEffect(() => {
    if (!element || source === loaded.current) return;
    loaded.current = source;
    if (phase === 'loading') element.load();
    if (phase === 'loading' && latest.current.state.wanted) play(element, dispatch);
  }, [element, source, phase]);

  useEffect(() => {
    if (element) element.playbackRate = shared.rate;
  }, [element, shared.rate]);

  const start = useCallback(() => {
    dispatch({ type: 'play-asked' });
    if (element && latest.current.state.phase !== 'renewing') play(element, dispatch);
  }, [element]);

  const seek = useCallback(
    (toMs: number, andPlay: boolean) => {
      const placeMs = clampMs(toMs, latest.current.state.durationMs ?? 0);
      dispatch({ type: 'seek-asked', toMs: placeMs });
      clock.set(placeMs);
      if (element && element.readyState >= hasMetadata) element.currentTime = placeMs / 1000;
      if (andPlay) start();
    },
    [clock, element, start],
  );

  return useMemo(
    () => ({
      state,
      clock,
      rate: shared.rate,
      attach: setElement,
      toggle() {
        momentEndMs.current = null;
        if (!state.wanted) return start();
        dispatch({ type: 'pause-asked' });
        element?.pause();
      },
      seek(toMs, andPlay = false) {
        momentEndMs.current = null;
        seek(toMs, andPlay);
      },
      playMoment(fromMs, toMs) {
        momentEndMs.current = null;
        seek(fromMs, true);
        momentEndMs.current = toMs;
      },
      setRate: shared.setRate,
      retry: () => dispatch({ type: 'retry-asked' }),
    }),
    [state, clock, shared, element, start, seek],
  );
}
