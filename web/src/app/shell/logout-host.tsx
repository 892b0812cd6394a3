import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { LeftAnswers } from '../../features/answering/logout/left-answers.ts';
import { useLogoutMutation } from '../../features/sign-in/sign-in-api.ts';
import { paths } from '../../lib/paths.ts';
import { signedOut } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch } from '../../lib/state/state-hooks.ts';

const logoutState = { logout: true };

/**
 * Logs out by navigating home first, where `LogoutHost` does the rest. A page with unsaved changes can then ask "Leave?" as for
 * any navigation, and staying cancels the logout.
 */
export function useLogout(): () => void {
  const navigate = useNavigate();
  return () => void navigate(paths.home, { state: logoutState });
}

const leftAnswers = () => import('../../features/answering/logout/left-answers.ts');
const LeftAnswersDialog = lazy(() => import('../../features/answering/logout/left-answers-dialog.tsx'));

const serverTimeoutMs = 2000;

/**
 * Completes the logout that `useLogout` starts by navigating home: offers to send or delete this browser's answers, then
 * ends the sign-in.
 */
export function LogoutHost({ userId }: { userId: string }) {
  const [logout] = useLogoutMutation();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const isLogout = (useLocation().state as Partial<typeof logoutState> | null)?.logout === true;
  const [left, setLeft] = useState<LeftAnswers | null>(null);

  const end = useCallback(async () => {
    await leftAnswers()
      .then(({ clearAnswers }) => clearAnswers(userId))
      .catch(console.warn);
    // Revoke the token if the server responds in time; sign out here in any case.
    await Promise.race([logout(), new Promise((resolve) => setTimeout(resolve, serverTimeoutMs))]);
    dispatch(signedOut());
  }, [userId, logout, dispatch]);

  useEffect(() => {
    if (!isLogout) return;
    const begin = async () => {
      // Clear the state first: Back or a reload must not log out the next user.
      await navigate(paths.home, { replace: true });
      // This code may not load without a connection: log out anyway.
      const found = await leftAnswers()
        .then(({ findLeftAnswers }) => findLeftAnswers(userId))
        .catch(console.warn);
      if (found && (found.answers.length + found.locked.length > 0 || found.recordingElsewhere)) setLeft(found);
      else await end();
    };
    void begin();
  }, [isLogout, navigate, userId, end]);

  if (!left) return null;
  return (
    <Suspense fallback={null}>
      <LeftAnswersDialog left={left} onStay={() => setLeft(null)} onSettled={end} />
    </Suspense>
  );
}
