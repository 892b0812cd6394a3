import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { cssVariables, theme } from '../lib/theme.ts';
import { LazyToastHost } from './lazy-toast-host.tsx';
import type { AppStore } from './store.ts';

interface AppProps {
  store: AppStore;
  /** What is in the window: the router, or in a browser what loads it. */
  pages: ReactNode;
}

/** What every screen needs: store, theme, toasts. */
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
