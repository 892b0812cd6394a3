import { VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';

/** When a screen reader says how much is left, in seconds. */
const announcedAt = [60, 30, 10] as const;

interface TimeAnnouncementProps {
  /** Milliseconds since 1970. */
  untilMs: number;
}

/** Tells a screen reader now and then how much time is left. */
export function TimeAnnouncement({ untilMs }: TimeAnnouncementProps) {
  const [words, setWords] = useState('');
  useEffect(() => {
    setWords('');
    const timers = announcedAt.flatMap((seconds) => {
      const waitMs = untilMs - seconds * 1000 - Date.now();
      return waitMs > 0 ? [setTimeout(() => setWords(`${seconds} seconds left`), waitMs)] : [];
    });
    return () => timers.forEach(clearTimeout);
  }, [untilMs]);
  return <VisuallyHidden role="status">{words}</VisuallyHidden>;
}
