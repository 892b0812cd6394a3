import { render } from '@testing-library/react';
import { RouterProvider } from 'react-router-dom';
import { App } from '../app/app.tsx';
import { createRouter } from '../app/router.tsx';
import { createStore } from '../app/store.ts';

/** Renders the whole app at a URL, as a browser would open it. */
export function renderApp(address: string) {
  window.history.replaceState(null, '', address);
  const store = createStore();
  const router = createRouter();
  const view = render(<App store={store} pages={<RouterProvider router={router} />} />);
  return { ...view, store, router };
}
