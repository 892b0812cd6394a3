import { notificationsStore } from '@mantine/notifications';
import { type ComponentType, useEffect, useState } from 'react';

/** The first sign of life: whatever goes wrong from here on has a place to be told, even if the connection is lost meanwhile. */
const firstActs = ['pointerdown', 'keydown'] as const;

/** The toasts' host, kept off the way to the first page: it comes when a person does something, or with the first toast. */
export function LazyToastHost() {
  const [Host, setHost] = useState<ComponentType | null>(null);

  useEffect(() => {
    const load = () => {
      import('./toast-host.tsx').then(({ default: loaded }) => setHost(() => loaded), console.error);
    };
    for (const act of firstActs) window.addEventListener(act, load, { once: true });
    const unsubscribe = notificationsStore.subscribe(load);
    return () => {
      for (const act of firstActs) window.removeEventListener(act, load);
      unsubscribe();
    };
  }, []);

  return Host && <Host />;
}
