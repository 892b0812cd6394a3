import { Health } from '@interview-prep/contracts/api/operations';
import { recordingRoutes } from '@interview-prep/contracts/recording/recordings';
import { gatewayTokenHeader } from '@interview-prep/kit/tokens/gateway-tokens';
import type { Upstream } from './proxy-table.ts';

const healthTimeoutMs = 3000;
const WorkersAnswer = Health.pick({ workers: true });

/** Asks every service whether it is ready. The result is cached for a second. */
export function createHealth(targets: Record<Upstream, string>): () => Promise<Health> {
  let cached: { at: number; health: Promise<Health> } | undefined;
  return () => {
    if (!cached || Date.now() - cached.at > 1000) cached = { at: Date.now(), health: ask(targets) };
    return cached.health;
  };
}

async function ask(targets: Record<Upstream, string>): Promise<Health> {
  const states = await Promise.all(
    Object.entries(targets).map(async ([name, target]) => {
      const ready = await fetch(new URL('/readyz', target), {
        redirect: 'error',
        signal: AbortSignal.timeout(healthTimeoutMs),
      }).then(
        (response) => response.ok,
        () => false,
      );
      return [name, ready ? 'ok' : 'down'] as const;
    }),
  );
  const services = Object.fromEntries(states) as Health['services'];
  return { status: states.every(([, state]) => state === 'ok') ? 'ok' : 'degraded', services };
}

/**
 * Which engines the workers use, where recording says it to the bearer of an access token: to admins.
 * @param authorization the request's header
 * @param gatewayToken where recording asks for one
 */
export async function findWorkers(
  targets: Record<Upstream, string>,
  authorization: string | undefined,
  gatewayToken?: string,
): Promise<Health['workers']> {
  if (authorization === undefined) return undefined;
  const options: RequestInit = {
    headers: { authorization, ...(gatewayToken === undefined ? {} : { [gatewayTokenHeader]: gatewayToken }) },
    redirect: 'error',
    signal: AbortSignal.timeout(healthTimeoutMs),
  };
  const response = await fetch(new URL(recordingRoutes.engines.path, targets.recording), options).catch(() => null);
  if (!response?.ok) return undefined;
  return WorkersAnswer.parse(await response.json()).workers;
}
