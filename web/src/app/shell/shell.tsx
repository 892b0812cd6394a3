import { unattendedHeader } from '@interview-prep/contracts/api/unattended-header';
import type { Role } from '@interview-prep/contracts/auth/users';
import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { Logo } from '../../components/bare-card.tsx';
import { useListGroupsQuery } from '../../lib/api/groups-api.ts';
import { routeUrl } from '../../lib/api/route-request.ts';
import { holdDraftKey } from '../../lib/drafts/draft-key.ts';
import { paths } from '../../lib/paths.ts';
import { selectToken, selectUser } from '../../lib/state/sign-in-slice.ts';
import { type RootState, useAppSelector } from '../../lib/state/state-hooks.ts';
import { hostStepUp } from '../../lib/step-up.ts';
import { screenRoutes } from '../routes.ts';
import { LogoutHost } from './logout-host.tsx';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';

const timeoutMs = 10_000;

/**
 * Fetches the encryption key of the user's drafts, as base64url. Bypasses RTK Query, whose cache any script on the page could
 * read. The call doesn't count as user activity.
 * @throws if the key can't be loaded right now
 */
async function fetchDraftKey(token: string | null): Promise<string> {
  const response = await fetch(routeUrl('draftKey'), {
    headers: { Authorization: `Bearer ${token}`, [unattendedHeader]: '1' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`No key for drafts: ${response.status}`);
  const { key } = (await response.json()) as { key: string };
  return key;
}

const AppealsCount = lazy(() => import('../../features/admin/overview/appeals-count.tsx'));
const health = () => import('../../features/admin/operations/health.tsx');
const HealthNotice = lazy(() => health().then(({ HealthNotice }) => ({ default: HealthNotice })));
const VersionFooter = lazy(() => health().then(({ VersionFooter }) => ({ default: VersionFooter })));
const ResultsNotices = lazy(() => import('../../features/history/live/results-notice.tsx'));

interface NavLinksProps {
  role: Role;
  withHome?: boolean;
}

/** The navigation buttons of a role. Source: product specification, section 2, navigation bar. */
function NavLinks({ role, withHome = false }: NavLinksProps) {
  const { data: groups = [] } = useListGroupsQuery();
  const rows = screenRoutes.filter(({ nav, access }) => nav !== undefined && (access !== 'admin' || role === 'admin'));
  return (
    <>
      {withHome && (
        <NavLink to={paths.home} end className={classes.link ?? ''}>
          Interview Sets
        </NavLink>
      )}
      {rows.map(({ path, nav }) => (
        <NavLink key={path} to={path} end className={classes.link ?? ''}>
          {nav}
        </NavLink>
      ))}
      {groups.some((group) => group.role !== null) && (
        <NavLink to={paths.groups} className={classes.link ?? ''}>
          My Groups
        </NavLink>
      )}
    </>
  );
}

const StepUpDialog = lazy(() => import('../../features/account/security/step-up-dialog.tsx'));

/** Shows the dialog that asks users to confirm their identity when a call requires it. */
function StepUpHost() {
  const [asking, setAsking] = useState<{ settle: (confirmed: boolean) => void } | null>(null);
  useEffect(() => hostStepUp((settle) => setAsking({ settle })), []);
  // If the shell unmounts, a waiting call continues as if the user had canceled.
  useEffect(() => () => asking?.settle(false), [asking]);
  if (!asking) return null;
  const settle = (confirmed: boolean) => {
    asking.settle(confirmed);
    setAsking(null);
  };
  return (
    <Suspense fallback={null}>
      <StepUpDialog onSettled={settle} />
    </Suspense>
  );
}

const encryption = () => import('../../lib/drafts/encrypt-drafts.ts');

/** Keeps the key of the user's unsent answers while they are signed in, and encrypts drafts stored in clear. */
function DraftKeyHost({ userId }: { userId: string }) {
  const store = useStore<RootState>();
  useEffect(
    () =>
      holdDraftKey(
        userId,
        () => fetchDraftKey(selectToken(store.getState())),
        (cipher) => void encryption().then(({ encryptDrafts }) => encryptDrafts(userId, cipher), console.warn),
      ),
    [userId, store],
  );
  return null;
}

/** The navigation bar above the page's content. */
export function Shell({ children }: { children: ReactNode }) {
  const user = useAppSelector(selectUser);
  const awaited = useAppSelector(({ awaitedSessions }) => awaitedSessions);
  const { pathname } = useLocation();
  const { data: groups = [] } = useListGroupsQuery(undefined, { skip: !user });
  const reviews = user?.role === 'admin' || groups.some(({ role }) => role === 'coach');
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
      {/* First, since its effect has to run before the recorder's. */}
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
          {reviews && (
            <Suspense fallback={null}>
              <AppealsCount isAdmin={user.role === 'admin'} />
            </Suspense>
          )}
          <UserMenu user={user} reviews={reviews} />
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
      {user.role === 'admin' && (
        <Suspense fallback={null}>
          <HealthNotice />
        </Suspense>
      )}
      {children}
      {user.role === 'admin' && (
        <Suspense fallback={null}>
          <VersionFooter />
        </Suspense>
      )}
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
