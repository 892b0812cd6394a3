import { LiveStatus } from '@interview-prep/contracts/recording/recordings';

/** Parses a `recording` message of GET /api/events; null for other messages. */
export function parseLiveStatus(event: string, data: string): LiveStatus | null {
  if (event !== 'recording') return null;
  try {
    return LiveStatus.safeParse(JSON.parse(data)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
