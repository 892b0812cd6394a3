import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Logo } from '../../components/logo.tsx';
import { paths } from '../../lib/paths.ts';
import { selectUser } from '../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../lib/state/state-hooks.ts';
import { DraftKeyHost } from './draft-key-host.tsx';
import { LogoutHost } from './logout-host.tsx';
import { NavLinks } from './nav-links.tsx';
import classes from './shell.module.css';
import { StepUpHost } from './step-up-host.tsx';
import { UserMenu } from './user-menu.tsx';

const ResultsNotices = lazy(() => import('../../features/history/live/results-notice.tsx'));

/** The navigation bar above the page's content. */
export function Shell({ children }: { children: ReactNode }) {
  const user = useAppSelector(selectUser);
  const awaited = useAppSelector(({ awaitedSessions }) => awaitedSessions);
  const { pathname } = useLocation();
  const [drawerOpened, drawer] = useDisclosure(false);

  const burger = useRef<HTMLButtonElement>(null);
  const dismiss = () => {
    drawer.close();
    burger.current?.focus();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes on every navigation.
  useEffect(() => drawer.close(), [pathname, drawer.close]);

  if (!user) return null;
  return (
    <>
      {/* First: its effect has to run before those of the recorder. */}
      <DraftKeyHost userId={user.id} />
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place of the page. */}
      <a
        className={classes.skip}
        href="#content"
        onClick={(event) => {
          // The fragment holds the filter of a list.
          event.preventDefault();
          document.getElementById('content')?.focus();
        }}
      >
        Skip to content
      </a>
      <header className={classes.header} data-role={user.role}>
        <div className={classes.bar}>
          <Burger
            ref={burger}
            className={classes.burger}
            opened={drawerOpened}
            onClick={drawer.toggle}
            size="sm"
            aria-label={drawerOpened ? 'Close navigation' : 'Open navigation'}
          />
          <Link to={paths.home} className={classes.brand}>
            <Logo />
            Interview Preparation Platform
          </Link>
          <nav className={classes.nav} aria-label="Main">
            <NavLinks role={user.role} />
          </nav>
          <UserMenu user={user} />
        </div>
      </header>
      <Drawer
        opened={drawerOpened}
        onClose={dismiss}
        // The new page takes the focus.
        returnFocus={false}
        size={300}
        title="Navigation"
        closeButtonProps={{ 'aria-label': 'Close navigation' }}
      >
        <nav className={classes.drawer} aria-label="Main">
          <NavLinks role={user.role} withHome />
        </nav>
      </Drawer>
      {children}
      {awaited.length > 0 && (
        <Suspense fallback={null}>
          <ResultsNotices sessions={awaited} />
        </Suspense>
      )}
      <StepUpHost />
      <LogoutHost userId={user.id} />
    </>
  );
}
