import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react';

/** What the players of a page share: the speed, and that only one plays at a time. */
export interface PlaybackRoom {
  rate: number;
  setRate(rate: number): void;
  /** Pauses the player that plays, and makes this the one that does. */
  takeOver(element: HTMLMediaElement): void;
}

const Room = createContext<PlaybackRoom | null>(null);

function useNewRoom(): PlaybackRoom {
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

/** Connects the players of a page. */
export function PlaybackRoomProvider({ children }: { children: ReactNode }) {
  return <Room value={useNewRoom()}>{children}</Room>;
}

/** The room of a player; one of its own if the page has none. */
export function usePlaybackRoom(): PlaybackRoom {
  const own = useNewRoom();
  return useContext(Room) ?? own;
}
