import { Health } from '@interview-prep/contracts/api/operations';
import { unattendedHeader } from '@interview-prep/contracts/api/unattended-header';
import { recordingRoutes } from '@interview-prep/contracts/recording/recordings';
import { gatewayTokenHeader } from '@interview-prep/kit/tokens/gateway-tokens';
import { z } from 'zod';
import type { Upstream } from './proxy-table.ts';

const healthTimeoutMs = 3000;
const WorkersAnswer = Health.pick({ workers: true });

/** Checks the readiness of every service. The result is cached for one second. */
export function createHealth(targets: Record<Upstream, string>): () => Promise<Health> {
  let cached: { at: number; health: Promise<Health> } | undefined;
  return () => {
    if (!cached || Date.now() - cached.at > 1000) cached = { at: Date.now(), health: ask(targets) };
    return cached.health;
  };
}

/** The part of recording's `/readyz` about the workers. */
const Readiness = z.object({ reports: z.object({ worker: z.boolean() }) });

async function ask(targets: Record<Upstream, string>): Promise<Health> {
  let worker: Health['services']['worker'] = 'unknown';
  const states = await Promise.all(
    Object.entries(targets).map(async ([name, target]) => {
      const options: RequestInit = { redirect: 'error', signal: AbortSignal.timeout(healthTimeoutMs) };
      const response = await fetch(new URL('/readyz', target), options).catch(() => null);
      const body: unknown = name === 'recording' ? await response?.json().catch(() => null) : null;
      const { data } = Readiness.safeParse(body);
      if (data) worker = data.reports.worker ? 'ok' : 'down';
      return [name, response?.ok ? 'ok' : 'down'] as const;
    }),
  );
  const services = { ...(Object.fromEntries(states) as Record<Upstream, 'ok' | 'down'>), worker };
  return { status: Object.values(services).every((state) => state === 'ok') ? 'ok' : 'degraded', services };
}

/**
 * The workers' engines, which recording reports only to admins. The request is marked as unattended, so it doesn't extend
 * the sign-in.
 * @param authorization the Authorization header of the original request
 * @param gatewayToken the gateway's own token for recording, if recording requires one
 */
export async function findWorkers(
  targets: Record<Upstream, string>,
  authorization: string | undefined,
  gatewayToken?: string,
): Promise<Health['workers']> {
  if (authorization === undefined) return undefined;
  const options: RequestInit = {
    headers: {
      authorization,
      [unattendedHeader]: '1',
      ...(gatewayToken === undefined ? {} : { [gatewayTokenHeader]: gatewayToken }),
    },
    redirect: 'error',
    signal: AbortSignal.timeout(healthTimeoutMs),
  };
  const response = await fetch(new URL(recordingRoutes.engines.path, targets.recording), options).catch(() => null);
  if (!response?.ok) return undefined;
  return WorkersAnswer.parse(await response.json()).workers;
}
