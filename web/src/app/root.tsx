import { lazy, Suspense } from 'react';
import { matchPath, Outlet, ScrollRestoration, useLocation } from 'react-router-dom';
import { LoginScreen } from '../features/sign-in/login-screen.tsx';
import { useAppSelector } from './hooks.ts';
import { publicPaths } from './paths.ts';
import { selectSession } from './session-slice.ts';

const Shell = lazy(() => import('./shell/shell.tsx'));

/**
 * Chooses what surrounds a screen: nothing on the four public routes, the login screen in its place for a visitor,
 * the shell for a signed-in user. The login screen comes with the app, the shell when it is needed. The address stays, so that after login one is where one wanted to be.
 */
export function Root() {
  const session = useAppSelector(selectSession);
  const { pathname } = useLocation();
  const bare = publicPaths.some((path) => matchPath(path, pathname));

  if (bare) {
    return (
      <main>
        <Outlet />
        <ScrollRestoration />
      </main>
    );
  }
  if (session.status === 'unauthenticated') {
    return <LoginScreen />;
  }
  return (
    <Suspense fallback={null}>
      <Shell>
        <Outlet />
      </Shell>
      <ScrollRestoration />
    </Suspense>
  );
}
