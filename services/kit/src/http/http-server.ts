import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { ErrorBody } from '@interview-prep/contracts/api/error-body';
import { type TlsCredentials, tlsOptions } from '../process/tls-files.ts';

type Refusal = Pick<ErrorBody, 'code' | 'message'> & { status: string };

const malformed: Refusal = { status: '400 Bad Request', code: 'invalid_request', message: 'This is not valid HTTP' };

/** Refusals of the HTTP parser, by Node's error code; anything else is malformed. */
const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'headers_too_large',
    message: 'The headers of the request are too large',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Content Too Large',
    code: 'too_large',
    message: 'The request body is too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'timeout',
    message: 'The request took too long to arrive',
  },
};

/** A refusal as it goes over the wire, in the API's error format. It ends the connection. */
function responseTo({ status, code, message }: Refusal): string {
  const body: ErrorBody = { message, code, requestId: randomUUID() };
  const json = JSON.stringify(body);
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(json)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    "Content-Security-Policy: default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'Strict-Transport-Security: max-age=31536000; includeSubDomains',
    'Referrer-Policy: strict-origin',
    'Cross-Origin-Resource-Policy: same-origin',
    'X-Frame-Options: DENY',
    'Connection: close',
  ];
  return `${[`HTTP/1.1 ${status}`, ...headers].join('\r\n')}\r\n\r\n${json}`;
}

/** Whether an answer to an earlier request of the connection is under way: a second one would be taken for its body. */
const isAnswering = (socket: Socket & { _httpMessage?: unknown }): boolean => Boolean(socket._httpMessage);

/**
 * An HTTP server whose own refusals, of requests that never reach the app, are in the API's error format as well.
 * @param tls if given, the server speaks only HTTPS
 */
export function createHttpServer(app: RequestListener, tls?: TlsCredentials): Server {
  const listener: RequestListener = (req, res) => {
    if (req.httpVersion === '1.1' && req.headers.host === undefined) req.socket.end(responseTo(malformed));
    else app(req, res);
  };
  // Node itself answers a request without Host, and without a body: hence it is left to this listener.
  const options = { requireHostHeader: false };
  const server = tls
    ? createTlsServer({ ...options, ...tlsOptions, ...tls }, listener)
    : createServer(options, listener);
  // Node itself would answer an unknown Expect header, without any of our headers. RFC 9110 lets a server ignore it.
  server.on('checkExpectation', listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket as Socket)) socket.destroy();
    else socket.end(responseTo(refusals[error.code ?? ''] ?? malformed));
  });
  return server;
}
