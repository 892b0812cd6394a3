const prefix = 'answering:';

/** Marks a session as running in this tab, visible to other tabs, until the returned function is called or the tab closes. */
export function markRunning(sessionId: string): () => void {
  const over = new AbortController();
  const untilOver = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()));
  // A shared lock, since a duplicated tab is in the same session.
  navigator.locks?.request(prefix + sessionId, { mode: 'shared' }, () => untilOver).catch(console.warn);
  return () => over.abort();
}

/** The sessions running in any tab. */
export async function runningSessions(): Promise<ReadonlySet<string>> {
  const locks = await navigator.locks?.query().catch(console.warn);
  const held = locks?.held ?? [];
  const names = held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  return new Set(names);
}
