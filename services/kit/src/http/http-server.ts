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

/** A refusal as raw HTTP, in the API's error format. It closes the connection. */
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

/** Whether a response to an earlier request on this connection is in progress: a second one would be read as its body. */
const isAnswering = (socket: Socket & { _httpMessage?: unknown }): boolean => Boolean(socket._httpMessage);

/**
 * An HTTP server that also uses the API's error format when it rejects requests before they reach the app.
 * @param tls if given, the server speaks only HTTPS
 */
export function createHttpServer(app: RequestListener, tls?: TlsCredentials): Server {
  const listener: RequestListener = (req, res) => {
    if (req.httpVersion === '1.1' && req.headers.host === undefined) req.socket.end(responseTo(malformed));
    else app(req, res);
  };
  // Node's own response to a request without Host has no body, so this listener rejects it instead.
  const options = { requireHostHeader: false };
  const server = tls
    ? createTlsServer({ ...options, ...tlsOptions, ...tls }, listener)
    : createServer(options, listener);
  // Node's own response to an unknown Expect header would lack our headers. RFC 9110 lets a server ignore the header.
  server.on('checkExpectation', listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket as Socket)) socket.destroy();
    else socket.end(responseTo(refusals[error.code ?? ''] ?? malformed));
  });
  return server;
}
