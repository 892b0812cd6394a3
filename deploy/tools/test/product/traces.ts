import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { type Product, uploadForm } from './running-product.ts';

/** The checked fields of an OTLP span. */
interface Span {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Span[] }[];
  }[];
}

/** A trace collector, and the environment variables that send traces to it. */
export interface Collector {
  spans: readonly Span[];
  variables: Readonly<Record<string, string>>;
  close(): void;
}

/** Receives OTLP over HTTP, as JSON. */
export async function startCollector(): Promise<Collector> {
  const spans: Span[] = [];
  const server = createServer(async (req, res) => {
    const { resourceSpans } = (await json(req)) as ExportRequest;
    for (const { resource, scopeSpans } of resourceSpans) {
      const name = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service: name }))));
    }
    res.setHeader('content-type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  };
  return { spans, variables, close: () => void server.close().closeAllConnections() };
}

export function testTraces(running: () => Product, collector: () => Collector): void {
  it('an answer is one trace, from the click on Stop to the verdict in its history', async () => {
    const { interviewSet, newCandidate, recording, stack } = running();
    const [set, candidate] = await Promise.all([interviewSet(), newCandidate()]);
    const fields = { sessionId: randomUUID(), questionId: '0', interviewSetId: set._id };
    // Like the page does when Stop is clicked.
    const [traceId, click] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const { status } = await fetch(`${stack.url}/api/interviews/recordings`, {
      method: 'POST',
      body: uploadForm('audio', recording(), fields),
      headers: { authorization: `Bearer ${candidate.token}`, traceparent: `00-${traceId}-${click}-01` },
    });
    expect(status).toBe(201);

    const { spans } = collector();
    const traceOf = () => spans.filter((span) => span.traceId === traceId);
    const has = (service: string, part: string) =>
      traceOf().some((span) => span.service === service && span.name.includes(part));
    const looked = { timeout: 60_000, interval: 300 };
    await expect.poll(() => has('worker', 'assessment'), looked).toBe(true);
    await expect.poll(() => has('history', 'history'), looked).toBe(true);
    expect(traceOf().map(({ service }) => service)).toEqual(
      expect.arrayContaining(['gateway', 'recording', 'worker', 'history']),
    );
    for (const queue of ['media', 'transcription', 'assessment']) expect(has('worker', queue), queue).toBe(true);
    // Each span has a parent, and the gateway's is the click. A span is exported after its children.
    const beginnings = () => {
      const ids = new Set(traceOf().map(({ spanId }) => spanId));
      const begins = traceOf().filter(({ parentSpanId }) => !parentSpanId || !ids.has(parentSpanId));
      return begins.map(({ service, parentSpanId }) => [service, parentSpanId]);
    };
    await expect.poll(beginnings, looked).toEqual([['gateway', click]]);
  });
}
