import { notificationsStore } from '@mantine/notifications';
import { type ComponentType, useEffect, useState } from 'react';

/** Load on the first input, so that a later error can be shown even if the connection is lost by then. */
const firstInputs = ['pointerdown', 'keydown'] as const;

/** The toasts' host. It loads on the first input or with the first toast, to keep the first page small. */
export function LazyToastHost() {
  const [Host, setHost] = useState<ComponentType | null>(null);

  useEffect(() => {
    const load = () => {
      import('./toast-host.tsx').then(({ default: loaded }) => setHost(() => loaded), console.error);
    };
    for (const act of firstInputs) window.addEventListener(act, load, { once: true });
    const unsubscribe = notificationsStore.subscribe(load);
    return () => {
      for (const act of firstInputs) window.removeEventListener(act, load);
      unsubscribe();
    };
  }, []);

  return Host && <Host />;
}
