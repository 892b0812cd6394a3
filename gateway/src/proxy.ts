import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { HttpError } from '@interview-prep/kit/http-error';
import { answerError } from '@interview-prep/kit/service-app';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { type Upstream, upstreamOf } from './proxy-table.ts';

/** Headers about the user or the origin of a request: a client could forge them. */
const forgeableHeaders = /^(x-user-|x-auth-|x-forwarded-|x-real-ip$|forwarded$)/;

const unreachable = 'The service is not reachable right now. Please try again.';

/** The answer for each error of the connection to a service. */
const connectionErrors: Record<string, HttpError> = {
  ECONNREFUSED: new HttpError(503, 'unavailable', unreachable, { retryAfterSeconds: 2 }),
  ENOTFOUND: new HttpError(503, 'unavailable', unreachable, { retryAfterSeconds: 2 }),
  EAI_AGAIN: new HttpError(503, 'unavailable', unreachable, { retryAfterSeconds: 2 }),
  ETIMEDOUT: new HttpError(504, 'timeout', 'The service took too long to answer. Please try again.'),
};
const badGateway = new HttpError(502, 'bad_gateway', 'The service ended the connection. Please try again.');

/** Proxies requests to the services, streaming both ways. Other requests go to the next handler. */
export function proxyToServices(targets: Record<Upstream, string>): RequestHandler {
  // Idle connections close before the services would close them (after 65 s). Their number has no limit: slow uploads and
  // event streams would use it up, and everyone else would wait.
  const agent = new Agent({ keepAlive: true, timeout: 60_000 });
  const proxies = Object.fromEntries(
    Object.entries(targets).map(([upstream, target]) => [upstream, serviceProxy(target, agent)]),
  ) as Record<Upstream, RequestHandler>;

  return (req, res, next) => {
    const upstream = upstreamOf(req.path);
    if (!upstream) return next();
    for (const name of Object.keys(req.headers)) if (forgeableHeaders.test(name)) delete req.headers[name];
    req.headers['x-request-id'] = String(req.id);
    req.headers['x-forwarded-for'] = req.ip ?? '';
    req.headers['x-forwarded-proto'] = req.protocol;
    return proxies[upstream](req, res, next);
  };
}

function serviceProxy(target: string, agent: Agent): RequestHandler {
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
        // The client disconnected: there is nobody to answer.
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

function answerProxyError(error: Error, req: Request | undefined, res: Response | Socket | undefined): void {
  if (!req || !res || !('headersSent' in res)) {
    res?.destroy();
    return;
  }
  req.log.warn({ err: error }, 'proxying failed');
  // A browser reads no answer while it is still sending, so the rest of the request is read and dropped.
  req.resume();
  const code = 'code' in error ? String(error.code) : '';
  answerError(connectionErrors[code] ?? badGateway, req, res, () => undefined);
}
