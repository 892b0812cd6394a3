import { isIPv4 } from 'node:net';
import { operationRoutes } from '@interview-prep/contracts/api/operations';
import type { Route } from '@interview-prep/contracts/api/route';
import { allRoutes } from '@interview-prep/contracts/api/routes';
import { productVersion } from '@interview-prep/contracts/api/version';
import { HttpError, unauthorized, unavailable } from '@interview-prep/kit/http/http-error';
import { createRouteServer } from '@interview-prep/kit/http/serve-route';
import { createServiceApp, type ServiceAppOptions } from '@interview-prep/kit/http/service-app';
import { createGatewayTokens } from '@interview-prep/kit/tokens/gateway-tokens';
import type { Express, RequestHandler } from 'express';
import { exchangeApiKeys } from './api-keys.ts';
import type { Settings } from './config.ts';
import { docsPage } from './docs-page.ts';
import { createHealth, findWorkers } from './health.ts';
import { findHiddenClients } from './hidden-clients.ts';
import { openApiDocument } from './openapi.ts';
import { type GatewayTokens, proxyToServices } from './proxy.ts';
import { type Upstream, upstreamOf } from './proxy-table.ts';
import { securityHeaders } from './security-headers.ts';
import { serveWebApp, serveWebAppFrom } from './web-app.ts';

/** `/api/users/:id` as a regular expression. Like Express, it ignores a trailing slash. */
const patternOf = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`);

/** `/api` and the next segment, which is never a parameter. */
const prefixOf = (path: string) => path.split('/', 3).join('/');

/** Grouped by prefix, since it is searched on every request. */
const known = Map.groupBy(
  allRoutes.map(([, route]) => ({ pattern: patternOf(route.path), route })),
  ({ route }) => prefixOf(route.path),
);

/** Methods that every path supports, in addition to those of its routes. */
const generalMethods = ['OPTIONS'];

const methodsOf = ({ method }: Route): string[] => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]);

/** The routes that match a path; none for an unknown path. Only routes of the service that the path is proxied to count. */
function routesAt(path: string): Route[] {
  const service = upstreamOf(path) ?? 'gateway';
  return (known.get(prefixOf(path)) ?? []).flatMap(({ pattern, route }) =>
    route.service === service && pattern.test(path) ? [route] : [],
  );
}

/** Responds with 405 and Allow if a known path lacks the method. Also records the route for the metrics. */
const refuseUnknownMethods: RequestHandler = (req, res, next) => {
  const routes = routesAt(req.path);
  const allowed = [...new Set(routes.flatMap(methodsOf))];
  const matching = routes.filter((route) => methodsOf(route).includes(req.method));
  // `/api/users/newest` also matches `/api/users/:id`.
  res.locals.route = (matching.find(({ path }) => path === req.path) ?? matching[0])?.path;
  if (allowed.length === 0 || [...allowed, ...generalMethods].includes(req.method)) return next();
  res.set('Allow', allowed.join(', '));
  // Drain the body, so that the browser reads the response.
  req.resume();
  throw new HttpError(405, 'method_not_allowed', `There is no ${req.method} at this address`);
};

/** The hostname in a Host header, without the port; null if it is invalid. */
function hostnameOf(host: string | undefined): string | null {
  return URL.parse(`http://${host ?? ''}`)?.hostname ?? null;
}

const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));

/**
 * Accepts only the host of PUBLIC_URL and loopback names, with any port; others get 421. Otherwise a page whose own name resolves
 * to this machine (DNS rebinding) would count as same-origin and could read the demonstration logins.
 */
function answerToOwnNames(publicUrl: string): RequestHandler {
  const own = new URL(publicUrl).hostname;
  return (req, _res, next) => {
    const hostname = hostnameOf(req.headers.host);
    if (hostname !== null && (hostname === own || isLoopback(hostname))) return next();
    req.resume();
    throw new HttpError(421, 'misdirected', `This is a demonstration for its own address only: ${publicUrl}`);
  };
}

function serviceUrls(settings: Settings): Record<Upstream, string> {
  return {
    auth: settings.AUTH_URL,
    catalog: settings.CATALOG_URL,
    recording: settings.RECORDING_URL,
    history: settings.HISTORY_URL,
  };
}

/** The gateway's token for each service that shares a secret with it. */
function gatewayTokens(settings: Settings): GatewayTokens {
  const secrets: Record<Upstream, string | undefined> = {
    auth: settings.GATEWAY_AUTH_SECRET,
    catalog: settings.GATEWAY_CATALOG_SECRET,
    recording: settings.GATEWAY_RECORDING_SECRET,
    history: settings.GATEWAY_HISTORY_SECRET,
  };
  const given = Object.entries(secrets).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given.map(([upstream, secret]) => [upstream, createGatewayTokens(secret)]));
}

/** The single public port: the services under /api, the web app everywhere else. */
export function createApp(deps: { settings: Settings } & Pick<ServiceAppOptions, 'log' | 'isStopping'>): Express {
  const { settings } = deps;
  const targets = serviceUrls(settings);
  const tokens = gatewayTokens(settings);
  const health = createHealth(targets);
  const openapi = openApiDocument(productVersion);
  const docs = docsPage();

  return createServiceApp({
    ...deps,
    checks: {},
    metricsToken: settings.METRICS_TOKEN,
    // Before any response is sent: health checks and errors need these headers too.
    first: [
      ...securityHeaders({
        development: Boolean(settings.WEB_DEV_URL),
        avatarUrl: settings.AVATAR_URL,
        google: settings.GOOGLE_CLIENT_ID !== undefined,
      }),
      ...(settings.DEMO_LOGINS.length > 0 ? [answerToOwnNames(settings.PUBLIC_URL)] : []),
    ],
    routes: (app) => {
      app.set('trust proxy', settings.TRUST_PROXY);
      app.use(findHiddenClients(settings.TRUST_PROXY, deps.log));
      app.use(refuseUnknownMethods);
      app.use('/api', exchangeApiKeys(targets.auth, tokens.auth));
      app.use(proxyToServices(targets, { tokens }));

      // The gateway doesn't verify tokens: its own routes are public.
      const routes = createRouteServer(app, async () => {
        throw unauthorized();
      });
      routes.serveAnyone(operationRoutes.health, async ({ req }) => {
        const asked = findWorkers(targets, req.headers.authorization, tokens.recording?.());
        const [state, workers] = await Promise.all([health(), asked]);
        return { ...state, ...(workers ? { version: productVersion, workers } : {}) };
      });
      routes.serveAnyone(operationRoutes.componentHealth, async ({ params: { component } }) => {
        const { services } = await health();
        if (services[component] === 'ok') return { status: 'ok' as const };
        throw unavailable(
          component === 'worker' ? 'No worker has reported for 30 seconds' : `The ${component} service is not ready`,
        );
      });
      routes.serveAnyone(operationRoutes.openapi, async () => openapi);
      routes.serveAnyone(operationRoutes.settings, async () => ({
        googleClientId: settings.GOOGLE_CLIENT_ID?.clientId ?? null,
        oidc: settings.OIDC_ISSUER === undefined ? null : { name: settings.OIDC_OPTIONS.name },
        avatarUrl: settings.AVATAR_URL ?? null,
        demoLogins: settings.DEMO_LOGINS,
      }));
      app.get('/api/docs', (_req, res) => {
        res.type('html').send(docs);
      });

      if (settings.WEB_DEV_URL) serveWebAppFrom(app, settings.WEB_DEV_URL);
      else serveWebApp(app, settings.WEB_ROOT);
    },
  });
}
