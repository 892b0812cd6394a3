import { PassThrough } from 'node:stream';
import { HttpError } from '@interview-prep/kit/http/http-error';
import { sharedAddressHeader } from '@interview-prep/kit/http/rate-limits';
import { hasBody, requestDeadlineMs } from '@interview-prep/kit/http/request-deadline';
import { answerError } from '@interview-prep/kit/http/service-app';
import { gatewayTokenHeader } from '@interview-prep/kit/tokens/gateway-tokens';
import type { Request, RequestHandler, Response } from 'express';
import { type Dispatcher, Pool } from 'undici';
import { type Upstream, upstreamOf } from './proxy-table.ts';

/** Headers about the user or the origin of a request: a client could forge them. */
const forgeableHeaders = /^(x-user-|x-auth-|x-forwarded-|x-shared-|x-gateway-|x-real-ip$|forwarded$)/;
/** Headers of one connection, which a proxy does not pass on (RFC 9110, 7.6.1). Node has sent "100 Continue" already. */
const connectionHeaders = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const unreachable = new HttpError(503, 'unavailable', 'The service is not reachable right now. Please try again.', {
  retryAfterSeconds: 2,
});
const tooSlow = new HttpError(503, 'unavailable', 'The service took too long to answer. Please try again.', {
  retryAfterSeconds: 2,
});
/** The answer for each error of the connection to a service. */
const connectionErrors: Record<string, HttpError> = {
  ECONNREFUSED: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  ETIMEDOUT: tooSlow,
  UND_ERR_CONNECT_TIMEOUT: tooSlow,
  UND_ERR_HEADERS_TIMEOUT: tooSlow,
};
const badGateway = new HttpError(502, 'bad_gateway', 'The service ended the connection. Please try again.');

/** Makes the token for each service that asks for one. */
export type GatewayTokens = Partial<Record<Upstream, () => string>>;

/** A service ends its requests at its own deadline. This one, a little later, is for a service that hangs. */
const answerDeadlineMs = requestDeadlineMs + 500;
/** How long an answer may pause. Event streams send a heartbeat every 15 s. */
const bodyTimeoutMs = 120_000;

/**
 * Proxies requests to the services, streaming both ways. Other requests go to the next handler.
 * @param options `tokens`: make the proof that a request comes from the gateway; `deadlineMs`: how long a service may neither
 * read a request nor begin its answer. The time that a client takes to send it does not count.
 */
export function proxyToServices(
  targets: Record<Upstream, string>,
  { tokens = {}, deadlineMs = answerDeadlineMs }: { tokens?: GatewayTokens; deadlineMs?: number } = {},
): RequestHandler {
  // Connections have no limit: slow uploads and event streams would use it up, and everyone else would wait.
  const options = { connections: null, headersTimeout: deadlineMs, bodyTimeout: bodyTimeoutMs };
  const pools = Object.fromEntries(
    Object.entries(targets).map(([upstream, target]) => [upstream, new Pool(target, options)]),
  ) as Record<Upstream, Pool>;

  return (req, res, next) => {
    const upstream = upstreamOf(req.path);
    if (!upstream) return next();
    for (const name of Object.keys(req.headers)) if (forgeableHeaders.test(name)) delete req.headers[name];
    req.headers['x-request-id'] = String(req.id);
    req.headers['x-forwarded-for'] = req.ip ?? '';
    req.headers['x-forwarded-proto'] = req.protocol;
    const token = tokens[upstream]?.();
    if (token !== undefined) req.headers[gatewayTokenHeader] = token;
    // Several clients may be behind this address: its limits are wider.
    if (res.locals.sharesAddress) req.headers[sharedAddressHeader] = 'true';
    passOn(req, res, pools[upstream]);
  };
}

/** Sends a request on to a server, and streams its answer to the client. */
export function passOn(req: Request, res: Response, server: Pool): void {
  // Between the two, as a connection to a server that ends would end the one to the client, which is to get an answer.
  const body = hasBody(req) ? req.pipe(new PassThrough()) : null;
  for (const name of connectionHeaders) delete req.headers[name];
  const { headers, originalUrl: path } = req;
  server.dispatch({ method: req.method as Dispatcher.HttpMethod, path, headers, body }, answerTo(req, res));
}

function answerTo(req: Request, res: Response): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller) {
      res.once('close', () => {
        // The client disconnected: the service must stop sending.
        if (!res.writableFinished) controller.abort(new Error('The client disconnected'));
      });
      res.on('drain', () => controller.resume());
    },
    onResponseStart(_controller, status, headers) {
      // 102 Processing: the service is still at work, so its time starts over.
      if (status < 200) return;
      for (const name of connectionHeaders) delete headers[name];
      res.writeHead(status, headers);
    },
    onResponseData(controller, chunk) {
      if (!res.write(chunk)) controller.pause();
    },
    onResponseEnd() {
      res.end();
      dropRest(req);
    },
    onResponseError(_controller, error) {
      if (res.destroyed) return;
      if (res.headersSent) {
        res.destroy();
        return;
      }
      req.log.warn({ err: error }, 'could not proxy the request');
      dropRest(req);
      const code = 'code' in error ? String(error.code) : '';
      answerError(connectionErrors[code] ?? badGateway, req, res, () => undefined);
    },
  };
}

/** Reads the rest of a request that is answered already: a browser reads no answer while it is still sending. */
function dropRest(req: Request): void {
  req.unpipe();
  req.resume();
}
