import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Responds to a request. */
export type Reply = (response: ServerResponse, request: ReceivedRequest) => void;

/** A server that speaks OpenAI's protocol with prepared replies, one per request; the last one is repeated. */
export interface OpenAiTestServer extends AsyncDisposable {
  /** The base URL, ending in /v1. */
  url: string;
  requests: ReceivedRequest[];
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Starts the server on a free loopback port. It stops at the end of the scope (`await using`). */
export async function startOpenAiServer(...replies: Reply[]): Promise<OpenAiTestServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const received = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
    requests.push(received);
    replies[Math.min(requests.length, replies.length) - 1]?.(response, received);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Responds with an error in OpenAI's format. */
export function failure(status: number, headers: Record<string, string> = {}, message = 'it went wrong'): Reply {
  return json({ error: { message, type: 'test', code: null } }, status, headers);
}

/** Responds to a chat request with the model's output and token usage. */
export function chatReply(content: string, usage?: object): Reply {
  return json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'judge',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage,
  });
}

/** Never responds. */
export const hang: Reply = () => undefined;

/** Starts a response and never finishes it. */
export const hangAfterHeaders: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"text": "to be');
};

/** Parses a multipart/form-data body. */
export async function formOf({ headers, body }: ReceivedRequest): Promise<FormData> {
  return new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
}
