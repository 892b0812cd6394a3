const prefix = 'answering:';

/** Tells the browser's other tabs that a session is being answered in this one, until the returned function is called or the tab ends. */
export function markRunning(sessionId: string): () => void {
  const over = new AbortController();
  const untilOver = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()));
  // Shared: a duplicated tab is in the same session.
  navigator.locks?.request(prefix + sessionId, { mode: 'shared' }, () => untilOver).catch(console.warn);
  return () => over.abort();
}

/** The sessions that are being answered in any tab now. */
export async function runningSessions(): Promise<ReadonlySet<string>> {
  const locks = await navigator.locks?.query().catch(console.warn);
  const held = locks?.held ?? [];
  const names = held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  return new Set(names);
}
