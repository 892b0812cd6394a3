import { useContext, useRef } from 'react';
import { type Location, matchPath, Outlet, ScrollRestoration, useLocation, useNavigate } from 'react-router-dom';
import { LoginScreen } from '../features/sign-in/login-screen.tsx';
import { publicPaths } from '../lib/paths.ts';
import { selectSignIn } from '../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../lib/state/state-hooks.ts';
import { LastPage } from './last-page.ts';
import { MainContent } from './main-content.tsx';
import { Shell } from './shell/shell.tsx';

/**
 * Chooses the layout: bare on the four public routes, the login screen for a visitor, the shell for a signed-in user.
 * The address stays, so a login leads to the page that was asked for.
 */
export function Root() {
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
