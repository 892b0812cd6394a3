import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request of an attack: JSON, or a form of an upload. */
export interface Call {
  method?: string;
  path: string;
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The response. `body` is the parsed JSON, null for anything else. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: attacks read arbitrary fields
  body: any;
  tookMs: number;
}

/** Sends a request with any headers, even those reserved for browsers. @throws if there is no response within a minute */
export function send(url: string, { method = 'GET', path, token, body, headers = {} }: Call): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const json = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        method,
        path,
        timeout: 60_000,
        agent: false,
        headers: {
          ...(json === undefined || Buffer.isBuffer(body) ? {} : { 'content-type': 'application/json' }),
          ...(json === undefined ? {} : { 'content-length': String((json as Buffer).length) }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const bytes = Buffer.concat(chunks);
          const isJson = response.headers['content-type']?.includes('json') && bytes.length > 0;
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes,
            body: isJson ? JSON.parse(bytes.toString()) : null,
            tookMs: performance.now() - startedAt,
          });
        });
      },
    );
    sent.once('timeout', () => sent.destroy(new Error(`${method} ${path}: no response within a minute`)));
    sent.once('error', reject);
    sent.end(json as Buffer | undefined);
  });
}

/** Sends raw bytes. @returns the server's response as text */
export async function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(20_000, () => socket.destroy());
  socket.write(bytes);
  return text(socket);
}

/** A short description of a response. */
export function inWords({ status, body }: Answer): string {
  const message = body?.message ?? '';
  return message === '' ? String(status) : `${status} ${String(message).slice(0, 110)}`;
}
