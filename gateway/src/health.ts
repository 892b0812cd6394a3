import type { Health } from '@interview-prep/contracts/operations';
import type { Upstream } from './proxy-table.ts';

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
      const ready = await fetch(new URL('/readyz', target), { signal: AbortSignal.timeout(3000) }).then(
        (response) => response.ok,
        () => false,
      );
      return [name, ready ? 'ok' : 'down'] as const;
    }),
  );
  const services = Object.fromEntries(states) as Health['services'];
  return { status: states.every(([, state]) => state === 'ok') ? 'ok' : 'degraded', services };
}
