import { MantineProvider } from '@mantine/core';
import { notificationsStore } from '@mantine/notifications';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Provider } from 'react-redux';
import { cssVariables, theme } from '../lib/theme.ts';
import type { AppStore } from './store.ts';

/** Load on the first input, so that a later error can be shown even if the connection is gone by then. */
const firstInputs = ['pointerdown', 'keydown'] as const;

/** The toast container. It loads on the first input or with the first toast, to keep the first page small. */
function LazyToastHost() {
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

interface AppProps {
  store: AppStore;
  /** The window's content: the router, or in a browser the component that loads it. */
  pages: ReactNode;
}

/** Providers for all screens: store, theme, toasts. */
export function App({ store, pages }: AppProps) {
  return (
    <Provider store={store}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <LazyToastHost />
        {pages}
      </MantineProvider>
    </Provider>
  );
}
