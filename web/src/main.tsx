import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { pageCode } from './start.ts';
import './app/styles.ts';
import { App } from './app/app.tsx';
import { FirstPage } from './app/first-page.tsx';
import { reportAttendance } from './app/report-attendance.ts';
import { createStore, followOtherTabs } from './app/store.ts';

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no element with the id root');
const store = createStore();
followOtherTabs(store);
reportAttendance(store);
const root = createRoot(container);
const app = (
  <StrictMode>
    <App store={store} pages={<FirstPage />} />
  </StrictMode>
);
// `start.ts` has begun to load the code of the page: the first render waits for it.
pageCode.then(() => root.render(app), console.error);
