import { notificationsStore } from '@mantine/notifications';
import { type ComponentType, useEffect, useState } from 'react';

/** Runs once the browser has nothing better to do; Safari, which cannot tell, waits a moment. */
function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, 500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: 2000 });
  return () => cancelIdleCallback(handle);
}

/** The toasts' host, kept off the way to the first page: it comes when the browser is idle, or with the first toast. */
export function LazyToastHost() {
  const [Host, setHost] = useState<ComponentType | null>(null);

  useEffect(() => {
    const load = () => {
      import('./toast-host.tsx').then(({ default: loaded }) => setHost(() => loaded), console.error);
    };
    const forget = whenIdle(load);
    const unsubscribe = notificationsStore.subscribe(load);
    return () => {
      forget();
      unsubscribe();
    };
  }, []);

  return Host && <Host />;
}
