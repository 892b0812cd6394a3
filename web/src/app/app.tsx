import { MantineProvider } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router-dom';
import { cssVariables, theme } from '../lib/theme.ts';
import { LazyToastHost } from './lazy-toast-host.tsx';
import type { AppStore } from './store.ts';

interface AppProps {
  store: AppStore;
  router: ComponentProps<typeof RouterProvider>['router'];
}

/** What every screen needs: store, theme, toasts, routes. */
export function App({ store, router }: AppProps) {
  return (
    <Provider store={store}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <LazyToastHost />
        <RouterProvider router={router} />
      </MantineProvider>
    </Provider>
  );
}
