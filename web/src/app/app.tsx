import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { ComponentProps } from 'react';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router-dom';
import type { AppStore } from './store.ts';
import { cssVariables, theme } from './theme.ts';
import classes from './toasts.module.css';

interface AppProps {
  store: AppStore;
  router: ComponentProps<typeof RouterProvider>['router'];
}

/** Everything that every screen stands on: state, look, toasts, routes. */
export function App({ store, router }: AppProps) {
  return (
    <Provider store={store}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <Notifications position="top-right" containerWidth={360} limit={4} classNames={{ root: classes.root ?? '' }} />
        <RouterProvider router={router} />
      </MantineProvider>
    </Provider>
  );
}
