import { PassThrough } from 'node:stream';
import { HttpError } from '@interview-prep/kit/http/http-error';
import { sharedAddressHeader } from '@interview-prep/kit/http/rate-limits';
import { hasBody, requestDeadlineMs } from '@interview-prep/kit/http/request-deadline';
import { answerError } from '@interview-prep/kit/http/service-app';
import { gatewayTokenHeader } from '@interview-prep/kit/tokens/gateway-tokens';
import type { Request, RequestHandler, Response } from 'express';
import { type Dispatcher, Pool } from 'undici';
import { type Upstream, upstreamOf } from './proxy-table.ts';

/** Headers about the user or the origin of a request, which a client could forge. */
const forgeableHeaders = /^(x-user-|x-auth-|x-forwarded-|x-shared-|x-gateway-|x-real-ip$|forwarded$)/;
/** Hop-by-hop headers, which a proxy does not forward (RFC 9110, 7.6.1). Node has already sent "100 Continue". */
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
const connectionErrors: Record<string, HttpError> = {
  ECONNREFUSED: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  ETIMEDOUT: tooSlow,
  UND_ERR_CONNECT_TIMEOUT: tooSlow,
  UND_ERR_HEADERS_TIMEOUT: tooSlow,
};
const badGateway = new HttpError(502, 'bad_gateway', 'The service ended the connection. Please try again.');

/** Creates the token for each service that requires one. */
export type GatewayTokens = Partial<Record<Upstream, () => string>>;

/** Services enforce their own deadlines. This one, slightly longer, is for services that hang. */
const responseDeadlineMs = requestDeadlineMs + 500;
/** Maximum pause within a response. Event streams send a heartbeat every 15 s. */
const bodyTimeoutMs = 120_000;

/**
 * Proxies requests to the services, streaming both ways. Other requests go to the next handler.
 * @param options `tokens`: create the gateway's token for a service; `deadlineMs`: how long a service may neither read the
 * request nor start its response. Time spent waiting for the client doesn't count.
 */
export function proxyToServices(
  targets: Record<Upstream, string>,
  { tokens = {}, deadlineMs = responseDeadlineMs }: { tokens?: GatewayTokens; deadlineMs?: number } = {},
): RequestHandler {
  // The number of connections is not limited: slow uploads and event streams would exhaust a pool and block everyone else.
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
    // Several clients may share this address, so its limits are wider.
    if (res.locals.sharesAddress) req.headers[sharedAddressHeader] = 'true';
    forwardRequest(req, res, pools[upstream]);
  };
}

/** Forwards a request to a server, and streams the response to the client. */
export function forwardRequest(req: Request, res: Response, server: Pool): void {
  // Decouples the two connections: if the server closes its own, the client must still get a response.
  const body = hasBody(req) ? req.pipe(new PassThrough()) : null;
  for (const name of connectionHeaders) delete req.headers[name];
  const { headers, originalUrl: path } = req;
  server.dispatch({ method: req.method as Dispatcher.HttpMethod, path, headers, body }, respondTo(req, res));
}

function respondTo(req: Request, res: Response): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller) {
      res.once('close', () => {
        // The client disconnected: stop the service's response.
        if (!res.writableFinished) controller.abort(new Error('The client disconnected'));
      });
      res.on('drain', () => controller.resume());
    },
    onResponseStart(_controller, status, headers) {
      // 102 Processing: the service is still working, so the deadline restarts.
      if (status < 200) return;
      for (const name of connectionHeaders) delete headers[name];
      res.writeHead(status, headers);
    },
    onResponseData(controller, chunk) {
      if (!res.write(chunk)) controller.pause();
    },
    onResponseEnd() {
      res.end();
      drain(req);
    },
    onResponseError(_controller, error) {
      if (res.destroyed) return;
      if (res.headersSent) {
        res.destroy();
        return;
      }
      req.log.warn({ err: error }, 'could not proxy the request');
      drain(req);
      const code = 'code' in error ? String(error.code) : '';
      answerError(connectionErrors[code] ?? badGateway, req, res, () => undefined);
    },
  };
}

/** Drains a request that already has its response: browsers read no response while they are still sending. */
function drain(req: Request): void {
  req.unpipe();
  req.resume();
}
