import { Button, Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconCompass } from '@tabler/icons-react';
import { type ReactNode, Suspense, useContext, useEffect, useRef, useState } from 'react';
import {
  createBrowserRouter,
  Link,
  type Location,
  matchPath,
  Navigate,
  Outlet,
  type RouteObject,
  RouterProvider,
  ScrollRestoration,
  useLocation,
  useNavigate,
  useRouteError,
} from 'react-router-dom';
import { Notice } from '../components/notice.tsx';
import { Screen } from '../components/screen.tsx';
import { LoginScreen } from '../features/sign-in/login-screen.tsx';
import { messageOf } from '../lib/api/api-error.ts';
import { useRouteTitle } from '../lib/page-title.ts';
import { paths, publicPaths } from '../lib/paths.ts';
import { selectSignIn, selectUser } from '../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../lib/state/state-hooks.ts';
import { lazyPage } from './lazy-page.tsx';
import { LastPage, MainContent } from './main-content.tsx';
import { type ScreenRoute, screenRoutes } from './routes.ts';
import { Shell } from './shell/shell.tsx';

/**
 * Chooses the layout: bare on the four public routes, the login screen for visitors, the shell for signed-in users.
 * The URL stays the same, so that a login leads to the requested page.
 */
function Root() {
  const signIn = useAppSelector(selectSignIn);
  const { pathname, state } = useLocation() as Location<{ signInRefusal?: string } | null>;
  const bare = publicPaths.some((path) => matchPath(path, pathname));
  const page = `${bare ? 'public' : signIn.status} ${pathname}`;
  const ownLastPage = useRef<string | null>(null);
  const lastPage = useContext(LastPage) ?? ownLastPage;
  const navigate = useNavigate();
  const content = (
    <MainContent page={page} lastPage={lastPage}>
      {bare || signIn.status === 'authenticated' ? (
        <Outlet />
      ) : (
        <LoginScreen goTo={(path) => void navigate(path)} refusal={state?.signInRefusal} />
      )}
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
    <>
      <Shell>{content}</Shell>
      <ScrollRestoration />
    </>
  );
}

/** Replaces a screen that threw. Source: product specification, section 2, router default error page. */
export function ErrorPage() {
  const error = useRouteError();
  useRouteTitle('Error');
  useEffect(() => {
    console.error(error);
  }, [error]);

  return (
    <Screen title="Unexpected Application Error!">
      <Notice
        alert
        title={messageOf(error) ?? 'Something on this page broke.'}
        action={
          <Group>
            <Button onClick={() => window.location.reload()}>Reload this page</Button>
            <Button variant="default" component="a" href="/">
              Go to the home page
            </Button>
          </Group>
        }
      >
        Everything you saved is safe on the server. Reloading usually helps.
      </Notice>
    </Screen>
  );
}

/** Shown while a screen's code loads. */
function ScreenSkeleton() {
  return (
    <Screen>
      <Stack gap="lg" aria-hidden>
        <Skeleton height={32} width="min(320px, 60%)" />
        <Skeleton height={96} />
        <Skeleton height={96} />
      </Stack>
      <VisuallyHidden role="status">Loading…</VisuallyHidden>
    </Screen>
  );
}

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

/** The page for unknown URLs. */
function NotFoundScreen() {
  return (
    <Screen title="Page not found">
      <Notice
        icon={<IconCompass size={32} stroke={1.5} />}
        title="There is nothing at this address."
        action={
          <Button component={Link} to={paths.home}>
            Go to the interview sets
          </Button>
        }
      >
        The link may be out of date or mistyped.
      </Notice>
    </Screen>
  );
}

/** The app's routes, under the root that chooses the layout. */
export function createRouter() {
  return createBrowserRouter([
    {
      element: <Root />,
      errorElement: <ErrorPage />,
      children: [
        ...screenRoutes.map(routeOf),
        {
          path: '*',
          element: (
            <Gate access="signed-in" title="Page not found">
              <NotFoundScreen />
            </Gate>
          ),
        },
      ],
    },
  ]);
}

/** All pages except a visitor's first login screen. */
export default function RoutedPages() {
  // Created here, so that it starts at the current URL.
  const [router] = useState(createRouter);
  return <RouterProvider router={router} />;
}
