import { LiveStatus } from '@interview-prep/contracts/recording/recordings';
import { LiveWords } from '@interview-prep/contracts/recording/uploads';
import type { z } from 'zod';

function parseMessage<Schema extends z.ZodType>(schema: Schema, data: string): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(data)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Parses a `recording` message of GET /api/events; null for other messages. */
export function parseLiveStatus(event: string, data: string): LiveStatus | null {
  return event === 'recording' ? parseMessage(LiveStatus, data) : null;
}

/** Parses a `words` message of GET /api/events; null for other messages. */
export function parseLiveWords(event: string, data: string): LiveWords | null {
  return event === 'words' ? parseMessage(LiveWords, data) : null;
}
