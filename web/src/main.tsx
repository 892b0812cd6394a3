import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { fetchPageAt } from './app/fetch-page.ts';
import { FirstPage } from './app/first-page.tsx';
import { followOtherTabs } from './app/other-tabs.ts';
import { reloadWhenReplaced } from './app/replaced-build.ts';
import { reportAttendance } from './app/report-attendance.ts';
import { createStore } from './app/store.ts';
import { prepareForTrustedTypes } from './app/trusted-types.ts';
import { selectUser } from './lib/state/sign-in-slice.ts';
import './app/styles.ts';

prepareForTrustedTypes();
const container = document.getElementById('root');
if (!container) throw new Error('index.html has no element with the id root');
// A page that stayed open over an upgrade asks for code that is gone.
reloadWhenReplaced();
// Load the font now. If it came after the first text, lines would break differently and the page would shift.
document.fonts.load('1em "Inter Variable"').catch(() => undefined);
const store = createStore();
followOtherTabs(store);
reportAttendance(store);
// A visitor sees the login screen, which is in the first bundle.
if (selectUser(store.getState())) fetchPageAt(window.location.pathname);
createRoot(container).render(
  <StrictMode>
    <App store={store} pages={<FirstPage />} />
  </StrictMode>,
);
