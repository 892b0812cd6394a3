import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { followOtherTabs } from './app/other-tabs.ts';
import { reloadWhenReplaced } from './app/replaced-build.ts';
import { createRouter, fetchScreenAt } from './app/router.tsx';
import { createStore } from './app/store.ts';
import { selectUser } from './lib/state/sign-in-slice.ts';
import './app/styles.ts';

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no element with the id root');
reloadWhenReplaced();
const store = createStore();
followOtherTabs(store);
if (selectUser(store.getState())) fetchScreenAt(window.location.pathname);
createRoot(container).render(
  <StrictMode>
    <App store={store} router={createRouter()} />
  </StrictMode>,
);
