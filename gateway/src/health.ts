import type { Health } from '@interview-prep/contracts/operations';
import type { Upstream } from './proxy-table.ts';

/** Asks every service whether it is ready; answers are kept for a second, so that asking often costs nothing. */
export function createHealth(targets: Record<Upstream, string>): () => Promise<Health> {
  let known: { at: number; health: Promise<Health> } | undefined;
  return () => {
    if (!known || Date.now() - known.at > 1000) known = { at: Date.now(), health: ask(targets) };
    return known.health;
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
