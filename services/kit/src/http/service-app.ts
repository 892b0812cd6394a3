// Emits the types of req.id and req.log with this file's declarations.
/// <reference types="pino-http" preserve="true" />
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorBody } from '@interview-prep/contracts/api/error-body';
import { productVersion } from '@interview-prep/contracts/api/version';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { pinoHttp } from 'pino-http';
import type { AuditTrail } from '../audit/audit-trail.ts';
import { type Logger, loggableUrl } from '../process/logger.ts';
import { traceRequests } from '../process/tracing.ts';
import { jobAttempts } from '../redis/job-attempts.ts';
import { registerOutboxAge } from '../redis/outbox-age.ts';
import { requireGateway } from '../tokens/gateway-tokens.ts';
import { errorResponse } from './error-response.ts';
import { notFound, unauthorized } from './http-error.ts';

/** Checks of dependencies, by name. Each resolves to whether the dependency works. */
type ReadinessChecks = Record<string, () => Promise<boolean>>;

/** The parts of an app in addition to `/healthz`, `/readyz` and `/metrics`. While `isStopping`, `/readyz` fails. */
export interface ServiceAppOptions {
  log: Logger;
  checks: ReadinessChecks;
  /** Checks of other processes: `/readyz` reports them, but they don't affect this process's readiness. */
  reports?: ReadinessChecks;
  isStopping?: () => boolean;
  /** The audit trail for its routes. */
  audit?: AuditTrail | undefined;
  /** Handlers for every request, including `/healthz`, `/readyz` and `/metrics`. */
  first?: readonly RequestHandler[];
  /** Adds the process's own routes, before the 404 and the error handler. */
  routes?: (app: Express) => void;
  /** Adds the process's own metrics. */
  metrics?: (registry: Registry) => void;
  /** The bearer token for `/metrics`; other tokens get a 401. If unset, `/metrics` returns 404. */
  metricsToken?: string | undefined;
  /** If set, requests without the gateway's token are refused. */
  gatewaySecret?: string | undefined;
  /** Paths that other services call: public ones, and those called with a user's own token. */
  openPaths?: readonly string[];
}

/** Polled every few seconds: not worth a log line. */
const unloggedPaths = new Set(['/healthz', '/readyz', '/metrics']);

const requestIdPattern = /^[\w-]{8,64}$/;

/** Creates an Express app with request ids, logging, metrics, health checks and the error format of the API. */
export function createServiceApp(options: ServiceAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  // Only the gateway is in front. It passes on the client's address, even if there are proxies in front of it.
  app.set('trust proxy', 1);
  app.locals.log = options.log;

  const registry = new Registry();
  // The default of 10 ms would be the most frequent wake-up of an idle process.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  registerBuildInfo(registry);
  registerOutboxAge(registry);
  registry.registerMetric(jobAttempts);
  options.metrics?.(registry);

  app.use(
    pinoHttp({
      logger: options.log,
      genReqId: (req, res) => {
        const given = req.headers['x-request-id'];
        const id = typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID();
        res.setHeader('x-request-id', id);
        return id;
      },
      // Log lines of a request carry only its id; the last line has the rest.
      quietReqLogger: true,
      quietResLogger: true,
      // pino-http creates a logger with the serialized request each time, which costs more than all the logging.
      serializers: { req: () => undefined },
      wrapSerializers: false,
      customAttributeKeys: { reqId: 'requestId' },
      autoLogging: { ignore: ({ url }) => url !== undefined && unloggedPaths.has(url) },
      customLogLevel: logLevel,
      customSuccessMessage: () => 'request completed',
      customErrorMessage: () => 'request completed',
      customSuccessObject: describeRequest,
      customErrorObject: (req, res, _error, facts) => describeRequest(req, res, facts),
    }),
  );
  app.use(traceRequests);
  if (options.first) app.use(...options.first);
  app.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  app.get('/readyz', async (_req, res) => {
    const [checks, reports] = await Promise.all([
      runChecks(options.checks),
      options.reports && runChecks(options.reports),
    ]);
    const ready = !options.isStopping?.() && Object.values(checks).every(Boolean);
    res.status(ready ? 200 : 503).json({ ready, checks, reports });
  });
  app.get('/metrics', async (req, res) => {
    if (options.metricsToken === undefined) throw notFound('There is nothing at this address');
    if (!isBearerOf(req, options.metricsToken)) throw unauthorized('The metrics need METRICS_TOKEN');
    res.type(registry.contentType).send(await registry.metrics());
  });
  app.use(measureRequests(registry));
  if (options.gatewaySecret !== undefined) app.use(requireGateway(options.gatewaySecret, options.openPaths));
  options.routes?.(app);
  app.use(() => {
    throw notFound('There is nothing at this address');
  });
  app.use(answerError);
  return app;
}

/** The gateway proxies most requests: the service that responds logs them. */
function logLevel(req: IncomingMessage, { statusCode }: ServerResponse, error?: Error) {
  if (error || isFault(statusCode)) return 'error';
  return (req as Request).route || statusCode >= 400 ? 'info' : 'debug';
}

/** The log line of a finished request. It has the URL only if no route matched. */
function describeRequest(req: IncomingMessage, res: ServerResponse, { responseTime }: { responseTime: number }) {
  const { method, url = '' } = req;
  const { route } = req as Request;
  const where = route ? { route: route.path } : { url: loggableUrl(url) };
  const userId = (res as Response).locals?.user?.sub;
  return { method, ...where, status: res.statusCode, ms: responseTime, userId };
}

/** Whether a request carries this token. Compares in constant time. */
function isBearerOf({ headers }: IncomingMessage, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${token}`));
}

async function runChecks(checks: ReadinessChecks): Promise<Record<string, boolean>> {
  const timeout = new Promise<boolean>((resolve) => setTimeout(resolve, 2000, false).unref());
  const states = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const isWorking = await Promise.race([check().catch(() => false), timeout]);
      return [name, isWorking] as const;
    }),
  );
  return Object.fromEntries(states);
}

/** Registers the running release as labels of a metric that is always 1. */
function registerBuildInfo(registry: Registry): void {
  const info = new Gauge({
    name: 'app_build_info',
    help: 'Always 1; the release and the version of Node.js are in its labels',
    labelNames: ['version', 'node_version'] as const,
    registers: [registry],
  });
  info.set({ version: productVersion, node_version: process.version }, 1);
}

function measureRequests(registry: Registry): RequestHandler {
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to response, by method, route and status',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [registry],
  });
  return (req, res, next) => {
    // Node warns of a leak above ten. Piping a stream into the response adds seven to the middleware's listeners.
    res.setMaxListeners(20);
    const end = seconds.startTimer({ method: req.method });
    res.once('close', () => {
      // The gateway proxies most requests, and stores their routes here.
      const route = res.locals.route ?? req.route?.path ?? 'none';
      end({ route, status: String(res.statusCode) });
    });
    next();
  };
}

/** Whether a status reports a fault. 501 is for features that the operator has not set up. */
const isFault = (status: number) => status >= 500 && status !== 501;

/** Responds to a failed request. */
export const answerError: ErrorRequestHandler = (error, req, res, _next) => {
  const response = errorResponse(error);
  if (isFault(response.status)) req.log.error({ err: error }, 'request failed');
  // The deadline has already responded.
  if (res.writableEnded) return;
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const body: ErrorBody = { ...response.body, requestId: String(req.id) };
  res.setHeader('Cache-Control', 'no-store');
  if (response.retryAfterSeconds !== undefined) res.setHeader('Retry-After', response.retryAfterSeconds);
  // A page shown to a person, rather than a response to a program.
  const { errorPage } = res.locals as { errorPage?: (message: string) => string };
  res.status(response.status);
  if (errorPage && req.accepts(['json', 'html']) === 'html') res.type('html').send(errorPage(body.message));
  else res.json(body);
};
