import { lazy, Suspense, useRef } from 'react';
import { matchPath, Outlet, ScrollRestoration, useLocation } from 'react-router-dom';
import { LoginScreen } from '../features/sign-in/login-screen.tsx';
import { publicPaths } from '../lib/paths.ts';
import { selectSignIn } from '../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../lib/state/state-hooks.ts';
import { MainContent } from './main-content.tsx';

const Shell = lazy(() => import('./shell/shell.tsx'));

/**
 * Chooses the layout: bare on the four public routes, the login screen for a visitor, the shell for a signed-in user.
 * The address stays, so a login leads to the page that was asked for.
 */
export function Root() {
  const signIn = useAppSelector(selectSignIn);
  const { pathname } = useLocation();
  const bare = publicPaths.some((path) => matchPath(path, pathname));
  const page = `${bare ? 'public' : signIn.status} ${pathname}`;
  // The first page leaves the focus where the browser puts it.
  const lastPage = useRef(page);
  const content = (
    <MainContent page={page} lastPage={lastPage}>
      {bare || signIn.status === 'authenticated' ? <Outlet /> : <LoginScreen />}
    </MainContent>
  );

  if (bare) {
    return (
      <>
        {content}
        <ScrollRestoration />
      </>
    );
  }
  if (signIn.status === 'unauthenticated') return content;
  return (
    <Suspense fallback={null}>
      <Shell>{content}</Shell>
      <ScrollRestoration />
    </Suspense>
  );
}
