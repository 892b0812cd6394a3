import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react';

/** State shared by a page's players: the speed, and which one is playing. */
export interface SharedPlayback {
  rate: number;
  setRate(rate: number): void;
  /** Pauses the current player and makes this one current. */
  takeOver(element: HTMLMediaElement): void;
}

const SharedPlaybackContext = createContext<SharedPlayback | null>(null);

function useNewSharedPlayback(): SharedPlayback {
  const [rate, setRate] = useState(1);
  const playing = useRef<HTMLMediaElement | null>(null);
  return useMemo(
    () => ({
      rate,
      setRate,
      takeOver(element) {
        if (playing.current !== element) playing.current?.pause();
        playing.current = element;
      },
    }),
    [rate],
  );
}

/** Shares playback state between a page's players. */
export function SharedPlaybackProvider({ children }: { children: ReactNode }) {
  return <SharedPlaybackContext value={useNewSharedPlayback()}>{children}</SharedPlaybackContext>;
}

/** The page's shared playback state; private state if the page has no provider. */
export function useSharedPlayback(): SharedPlayback {
  const own = useNewSharedPlayback();
  return useContext(SharedPlaybackContext) ?? own;
}
