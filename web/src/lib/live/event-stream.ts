import { unattendedHeader } from '@interview-prep/contracts/api/unattended-header';
import { createParser } from 'eventsource-parser';
import { isAttended } from '../attendance.ts';

/** The stream ended: it was rejected, timed out or lost its connection. */
export class StreamEnded extends Error {
  /** The HTTP status if the server rejected it; null if the connection was lost. */
  readonly status: number | null;

  constructor(message: string, status: number | null, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StreamEnded';
    this.status = status;
  }
}

export interface EventStreamOptions {
  url: string;
  /** EventSource can't send this header, so the stream is read with fetch. */
  token: string | null;
  signal: AbortSignal;
  /** The connection counts as lost after this time without data; heartbeats arrive every 15 s. */
  heartbeatTimeoutMs: number;
  onOpen(): void;
  onMessage(event: string, data: string): void;
}

/**
 * Reads a text/event-stream until it ends.
 * @throws StreamEnded always, unless `signal` is aborted, in which case it returns
 */
export async function readEventStream(options: EventStreamOptions): Promise<void> {
  const { signal, heartbeatTimeoutMs } = options;
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(
      () => silence.abort(new StreamEnded('The live connection fell silent', null)),
      heartbeatTimeoutMs,
    );
  };
  try {
    heard();
    await readUntilEnd(options, AbortSignal.any([signal, silence.signal]), heard);
    throw new StreamEnded('The live connection was closed', null);
  } catch (error) {
    if (signal.aborted) return;
    if (silence.signal.aborted) throw silence.signal.reason;
    if (error instanceof StreamEnded) throw error;
    throw new StreamEnded('The live connection broke', null, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function readUntilEnd(
  { url, token, onOpen, onMessage }: EventStreamOptions,
  signal: AbortSignal,
  heard: () => void,
): Promise<void> {
  const headers: Record<string, string> = { Accept: 'text/event-stream' };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (!isAttended()) headers[unattendedHeader] = '1';
  const response = await fetch(url, { headers, signal, cache: 'no-store' });
  if (!response.ok || !response.body)
    throw new StreamEnded(`The live connection returned ${response.status}`, response.status);
  onOpen();
  const parser = createParser({ onEvent: (message) => onMessage(message.event ?? 'message', message.data) });
  const reader = response.body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
    .getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    parser.feed(value);
  }
}
