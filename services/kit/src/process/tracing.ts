import { context, DiagLogLevel, diag, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Telemetry } from 'bullmq';
import type { RequestHandler } from 'express';
import type { Logger } from './logger.ts';

/** The longest time that an unresponsive collector may delay a process's exit. */
const lastExportMs = 1000;

/** For BullMQ's queues and workers; undefined while tracing is off. */
let telemetry: Telemetry | undefined;

/** The BullMQ option that propagates traces through jobs; empty while tracing is off. */
export function tracedJobs(): { telemetry?: Telemetry } {
  return telemetry ? { telemetry } : {};
}

/**
 * Sends traces if the standard OTEL_* variables name a collector or an exporter; otherwise loads nothing. Metrics and logs
 * are not sent unless these variables ask for them.
 * @returns a function that flushes and stops
 */
export async function startTracing(service: string, log: Logger): Promise<() => Promise<void>> {
  const { env } = process;
  const { OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = env;
  const target = OTEL_TRACES_EXPORTER || OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  if (!target || OTEL_TRACES_EXPORTER === 'none' || env.OTEL_SDK_DISABLED === 'true') return async () => {};
  const [{ NodeSDK }, { BullMQOtel }] = await Promise.all([import('@opentelemetry/sdk-node'), import('bullmq-otel')]);
  env.OTEL_SERVICE_NAME ||= service;
  env.OTEL_METRICS_EXPORTER ||= 'none';
  env.OTEL_LOGS_EXPORTER ||= 'none';
  const warn = (message: string) => log.warn({ reason: message }, 'traces could not be sent');
  const ignore = () => {};
  diag.setLogger({ error: warn, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
  const sdk = new NodeSDK({ instrumentations: [] });
  sdk.start();
  telemetry = new BullMQOtel({ tracerName: 'interview-prep' });
  log.info('sending traces');
  return async () => {
    const waited = new Promise<void>((resolve) => setTimeout(resolve, lastExportMs).unref());
    await Promise.race([sdk.shutdown().catch(ignore), waited]);
  };
}

/** Records a request as a span of the trace in its headers, and lets the gateway propagate this trace. */
export const traceRequests: RequestHandler = (req, res, next) => {
  if (!telemetry) return next();
  const parent = propagation.extract(context.active(), req.headers);
  const span = trace.getTracer('interview-prep').startSpan(req.method, { kind: SpanKind.SERVER }, parent);
  const active = trace.setSpan(parent, span);
  propagation.inject(active, req.headers);
  res.once('close', () => {
    const route = (req.route as { path: string } | undefined)?.path;
    if (route) span.updateName(`${req.method} ${route}`);
    span.setAttributes({
      'http.request.method': req.method,
      'http.response.status_code': res.statusCode,
      ...(route ? { 'http.route': route } : {}),
      'interview_prep.request_id': String(req.id),
    });
    if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  context.with(active, next);
};
