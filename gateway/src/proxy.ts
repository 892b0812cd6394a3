import { Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { HttpError } from '@interview-prep/kit/http/http-error';
import { sharedAddressHeader } from '@interview-prep/kit/http/rate-limits';
import { hasBody, requestDeadlineMs } from '@interview-prep/kit/http/request-deadline';
import { answerError } from '@interview-prep/kit/http/service-app';
import { gatewayTokenHeader } from '@interview-prep/kit/tokens/gateway-tokens';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { type Upstream, upstreamOf } from './proxy-table.ts';

/** Headers about the user or the origin of a request: a client could forge them. */
const forgeableHeaders = /^(x-user-|x-auth-|x-forwarded-|x-shared-|x-gateway-|x-real-ip$|forwarded$)/;

const unreachable = 'The service is not reachable right now. Please try again.';

/** The answer for each error of the connection to a service. */
const connectionErrors: Record<string, HttpError> = {
  ECONNREFUSED: new HttpError(503, 'unavailable', unreachable, { retryAfterSeconds: 2 }),
  ENOTFOUND: new HttpError(503, 'unavailable', unreachable, { retryAfterSeconds: 2 }),
  EAI_AGAIN: new HttpError(503, 'unavailable', unreachable, { retryAfterSeconds: 2 }),
  ETIMEDOUT: new HttpError(503, 'unavailable', 'The service took too long to answer. Please try again.', {
    retryAfterSeconds: 2,
  }),
};
const badGateway = new HttpError(502, 'bad_gateway', 'The service ended the connection. Please try again.');

/** Makes the token for each service that asks for one. */
export type GatewayTokens = Partial<Record<Upstream, () => string>>;

/** A service ends its requests at its own deadline. This one, a little later, is for a service that hangs. */
const answerDeadlineMs = requestDeadlineMs + 500;

/**
 * Proxies requests to the services, streaming both ways. Other requests go to the next handler.
 * @param options `tokens`: make the proof that a request comes from the gateway; `deadlineMs`: how long a service may take to
 * begin its answer, once it has the whole request
 */
export function proxyToServices(
  targets: Record<Upstream, string>,
  { tokens = {}, deadlineMs = answerDeadlineMs }: { tokens?: GatewayTokens; deadlineMs?: number } = {},
): RequestHandler {
  // Idle connections close before the services would close them (after 65 s). Their number has no limit: slow uploads and
  // event streams would use it up, and everyone else would wait.
  const options = { keepAlive: true, timeout: 60_000 };
  const [agent, tlsAgent] = [new Agent(options), new TlsAgent(options)];
  const proxies = Object.fromEntries(
    Object.entries(targets).map(([upstream, target]) => [
      upstream,
      serviceProxy(target, target.startsWith('https:') ? tlsAgent : agent, deadlineMs),
    ]),
  ) as Record<Upstream, RequestHandler>;

  return (req, res, next) => {
    const upstream = upstreamOf(req.path);
    if (!upstream) return next();
    for (const name of Object.keys(req.headers)) if (forgeableHeaders.test(name)) delete req.headers[name];
    // Node's HTTP server has already sent "100 Continue".
    delete req.headers.expect;
    req.headers['x-request-id'] = String(req.id);
    req.headers['x-forwarded-for'] = req.ip ?? '';
    req.headers['x-forwarded-proto'] = req.protocol;
    const token = tokens[upstream]?.();
    if (token !== undefined) req.headers[gatewayTokenHeader] = token;
    // Several clients may be behind this address: its limits are wider.
    if (res.locals.sharesAddress) req.headers[sharedAddressHeader] = 'true';
    return proxies[upstream](req, res, next);
  };
}

function serviceProxy(target: string, agent: Agent, deadlineMs: number): RequestHandler {
  return createProxyMiddleware<Request, Response>({
    target,
    agent,
    // Event streams send a heartbeat every 15 s; an upload keeps its connection busy.
    proxyTimeout: 120_000,
    // Replaces the library's plugins: their error answers are not in the API's format.
    ejectPlugins: true,
    plugins: [
      (proxy) => {
        proxy.on('error', (error, req, res) => answerProxyError(error, req, res));
        proxy.on('proxyReq', (proxyReq, req) => limitAnswerTime(proxyReq, req, deadlineMs));
        // The client disconnected: there is no one to answer.
        proxy.on('econnreset', (_error, _req, res) => res.destroy());
        // If the client disconnects, the service must stop sending.
        proxy.on('proxyRes', (proxyRes, _req, res) => {
          res.on('close', () => {
            if (!res.writableEnded) proxyRes.destroy();
          });
        });
      },
    ],
  }) as RequestHandler;
}

/** Ends a request that a service neither reads nor answers. The time that a client takes to send it does not count. */
function limitAnswerTime(proxyReq: ClientRequest, req: IncomingMessage, deadlineMs: number): void {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const start = () => {
    timer ??= setTimeout(() => {
      proxyReq.destroy(Object.assign(new Error('The service did not answer in time'), { code: 'ETIMEDOUT' }));
    }, deadlineMs);
  };
  proxyReq.once('response', stop).once('close', stop);
  // 102 Processing: the service is still at work, so its time starts over.
  proxyReq.on('information', () => {
    if (timer === undefined) return;
    stop();
    start();
  });
  if (!hasBody(req) || req.readableEnded) {
    start();
    return;
  }
  // The request is paused while the service does not read it.
  req.on('pause', start).on('resume', stop);
  req.once('end', start);
  if (req.isPaused()) start();
}

function answerProxyError(error: Error, req: Request | undefined, res: Response | Socket | undefined): void {
  if (!req || !res || !('headersSent' in res)) {
    res?.destroy();
    return;
  }
  req.log.warn({ err: error }, 'could not proxy the request');
  // A browser reads no answer while it is still sending, so the rest of the request is read and dropped.
  req.resume();
  const code = 'code' in error ? String(error.code) : '';
  answerError(connectionErrors[code] ?? badGateway, req, res, () => undefined);
}
