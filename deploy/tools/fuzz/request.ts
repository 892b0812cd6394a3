import { randomBytes } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** A part of a multipart body. A part with a file name is a file. */
export interface FormPart {
  name: string;
  content: Buffer;
  fileName?: string;
}

/** A request as sent over the wire. */
export interface FuzzRequest {
  method: string;
  /** Percent-encoded, including the query. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: { kind: 'none' } | { kind: 'text'; text: string } | { kind: 'form'; parts: readonly FormPart[] };
}

export interface FuzzResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Empty for an event stream, which is closed after the headers. */
  text: string;
  tookMs: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
/** Longer than the API's own deadline. */
const timeoutMs = 20_000;

function encodeForm(parts: readonly FormPart[]): { type: string; bytes: Buffer } {
  const boundary = randomBytes(12).toString('hex');
  const chunks = parts.flatMap(({ name, content, fileName }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: application/octet-stream`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), content, Buffer.from('\r\n')];
  });
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function encode({ body, headers }: FuzzRequest): { headers: Record<string, string>; bytes: Buffer | undefined } {
  if (body.kind === 'none') return { headers: { ...headers }, bytes: undefined };
  if (body.kind === 'text') {
    const bytes = Buffer.from(body.text);
    return { headers: { ...headers, 'content-length': String(bytes.length) }, bytes };
  }
  const { type, bytes } = encodeForm(body.parts);
  return { headers: { 'content-type': type, ...headers, 'content-length': String(bytes.length) }, bytes };
}

/** Sends a request to the server at `url`. @throws Error if the connection is lost or times out */
export function send(url: string, fuzzRequest: FuzzRequest): Promise<FuzzResponse> {
  const { hostname, port } = new URL(url);
  const { headers, bytes } = encode(fuzzRequest);
  const { method, target } = fuzzRequest;
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { hostname, port, method, path: target, headers, agent, timeout: timeoutMs },
      (response) => {
        const { statusCode: status = 0 } = response;
        const answer = (text: string) =>
          resolve({ status, headers: response.headers, text, tookMs: performance.now() - startedAt });
        if (response.headers['content-type']?.startsWith('text/event-stream')) {
          response.on('error', () => undefined).destroy();
          answer('');
          return;
        }
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('end', () => answer(Buffer.concat(chunks).toString()));
        response.once('error', reject);
      },
    );
    sent.once('timeout', () => sent.destroy(new Error(`No response within ${timeoutMs / 1000} s`)));
    sent.on('error', reject);
    sent.end(bytes);
  });
}

/** Sends a request that must succeed. @throws Error with the response otherwise @returns the body; null if empty */
export async function succeed<Result>(url: string, request: FuzzRequest): Promise<Result> {
  const { status, text } = await send(url, request);
  if (status >= 300) throw new Error(`${request.method} ${request.target} returned ${status}: ${text}`);
  return (text === '' ? null : JSON.parse(text)) as Result;
}

/** Polls `found` until it returns something. @throws after three minutes, since judging is slow on a busy machine */
export async function eventually<Result>(what: string, found: () => Promise<Result | null>): Promise<Result> {
  for (const end = Date.now() + 180_000; Date.now() < end; await pause(200)) {
    const result = await found();
    if (result !== null) return result;
  }
  throw new Error(`${what} did not appear within three minutes`);
}
