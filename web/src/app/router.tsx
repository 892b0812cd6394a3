import { type ReactNode, Suspense } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router-dom';
import { paths } from '../lib/paths.ts';
import { selectUser } from '../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../lib/state/state-hooks.ts';
import { useRouteTitle } from '../lib/use-route-title.ts';
import { ErrorPage } from './error-page.tsx';
import { lazyPage } from './lazy-page.tsx';
import { Root } from './root.tsx';
import { type ScreenRoute, screenRoutes } from './routes.ts';
import { ScreenSkeleton } from './screen-skeleton.tsx';

interface GateProps extends Pick<ScreenRoute, 'access' | 'title'> {
  children: ReactNode;
}

/** Checks a screen's access, sets its title, and shows a skeleton while its code loads. */
function Gate({ access, title, children }: GateProps) {
  const user = useAppSelector(selectUser);
  useRouteTitle(title);
  if (access === 'admin' && user?.role !== 'admin') return <Navigate to={paths.home} replace />;
  return <Suspense fallback={<ScreenSkeleton />}>{children}</Suspense>;
}

function routeOf({ path, access, title, load }: ScreenRoute): RouteObject {
  return {
    path,
    element: (
      <Gate access={access} title={title}>
        {lazyPage(load)}
      </Gate>
    ),
    errorElement: <ErrorPage />,
  };
}

const notFound = routeOf({
  path: '*',
  access: 'signed-in',
  title: 'Page not found',
  load: () => import('./not-found-screen.tsx'),
});

/** The app's routes, under the root that chooses the layout. */
export function createRouter() {
  return createBrowserRouter([
    {
      element: <Root />,
      errorElement: <ErrorPage />,
      children: [...screenRoutes.map(routeOf), notFound],
    },
  ]);
}
