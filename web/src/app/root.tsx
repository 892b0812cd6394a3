import { lazy, Suspense, useRef } from 'react';
import { matchPath, Outlet, ScrollRestoration, useLocation } from 'react-router-dom';
import { LoginScreen } from '../features/sign-in/login-screen.tsx';
import { publicPaths } from '../lib/paths.ts';
import { selectSignIn } from '../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../lib/state/state-hooks.ts';
import { MainContent } from './main-content.tsx';

const Shell = lazy(() => import('./shell/shell.tsx'));

/**
 * Chooses what surrounds a screen: nothing on the four public routes, the login screen in its place for a visitor,
 * the shell for a signed-in user. The login screen comes with the app, the shell when it is needed. The address stays, so that after login one is where one wanted to be.
 */
export function Root() {
  const signIn = useAppSelector(selectSignIn);
  const { pathname } = useLocation();
  const bare = publicPaths.some((path) => matchPath(path, pathname));
  const page = `${bare ? 'public' : signIn.status} ${pathname}`;
  // The first page that is loaded begins where the browser begins it.
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
