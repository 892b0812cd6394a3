import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { HttpError } from '@interview-prep/kit/http-error';
import { answerError } from '@interview-prep/kit/service-app';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { type Upstream, upstreamOf } from './proxy-table.ts';

/** Headers that say who is asking or where a request came from: from outside they are not believed. */
const untrusted = /^(x-user-|x-auth-|x-forwarded-|x-real-ip$|forwarded$)/;

const cutOff = 'The service is not reachable right now. Please try again.';

/** What a broken connection to a service means for the client. */
const faults: Record<string, HttpError> = {
  ECONNREFUSED: new HttpError(503, 'unavailable', cutOff, { retryAfterSeconds: 2 }),
  ENOTFOUND: new HttpError(503, 'unavailable', cutOff, { retryAfterSeconds: 2 }),
  EAI_AGAIN: new HttpError(503, 'unavailable', cutOff, { retryAfterSeconds: 2 }),
  ETIMEDOUT: new HttpError(504, 'timeout', 'The service took too long to answer. Please try again.'),
};
const broken = new HttpError(502, 'bad_gateway', 'The service broke off. Please try again.');

/** Passes requests on to the services, streaming both ways; a request that concerns none goes on to the next handler. */
export function proxyToServices(targets: Record<Upstream, string>): RequestHandler {
  // Idle connections are let go before the services would close them (after 65 s). As many as there are requests: with a
  // limit, those who hold theirs (slow uploads, event streams) would keep everybody else waiting.
  const agent = new Agent({ keepAlive: true, timeout: 60_000 });
  const proxies = Object.fromEntries(
    Object.entries(targets).map(([upstream, target]) => [upstream, serviceProxy(target, agent)]),
  ) as Record<Upstream, RequestHandler>;

  return (req, res, next) => {
    const upstream = upstreamOf(req.path);
    if (!upstream) return next();
    for (const name of Object.keys(req.headers)) if (untrusted.test(name)) delete req.headers[name];
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
    ejectPlugins: true,
    plugins: [
      (proxy) => {
        proxy.on('error', (error, req, res) => answerBrokenProxy(error, req, res));
        proxy.on('econnreset', (_error, _req, res) => res.destroy());
        // A client that goes away must not leave the service sending.
        proxy.on('proxyRes', (proxyRes, _req, res) => {
          res.on('close', () => {
            if (!res.writableEnded) proxyRes.destroy();
          });
        });
      },
    ],
  }) as RequestHandler;
}

function answerBrokenProxy(error: Error, req: Request | undefined, res: Response | Socket | undefined): void {
  if (!req || !res || !('headersSent' in res)) {
    res?.destroy();
    return;
  }
  req.log.warn({ err: error }, 'proxying failed');
  // Nobody takes the rest of the request, and a browser that is still sending reads no answer.
  req.resume();
  const code = 'code' in error ? String(error.code) : '';
  answerError(faults[code] ?? broken, req, res, () => undefined);
}
