import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react';

/** What the players of a page share: one speed, and that only one of them is heard. */
export interface PlaybackRoom {
  rate: number;
  setRate(rate: number): void;
  /** Stops whoever plays, and is the one who plays from now on. */
  takeFloor(element: HTMLMediaElement): void;
}

const Room = createContext<PlaybackRoom | null>(null);

function useNewRoom(): PlaybackRoom {
  const [rate, setRate] = useState(1);
  const floor = useRef<HTMLMediaElement | null>(null);
  return useMemo(
    () => ({
      rate,
      setRate,
      takeFloor(element) {
        if (floor.current !== element) floor.current?.pause();
        floor.current = element;
      },
    }),
    [rate],
  );
}

/** Holds the players of a page together. */
export function PlaybackRoomProvider({ children }: { children: ReactNode }) {
  return <Room value={useNewRoom()}>{children}</Room>;
}

/** The room around a player; a player without one has a room of its own. */
export function usePlaybackRoom(): PlaybackRoom {
  const own = useNewRoom();
  return useContext(Room) ?? own;
}
