import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useLogoutMutation } from '../../features/sign-in/sign-in-api.ts';
import { paths } from '../../lib/paths.ts';
import { signedOut } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch } from '../../lib/state/state-hooks.ts';

/** A logout does not wait longer than this for the server. */
const serverTimeoutMs = 2000;

/** The navigation state of a logout. */
const logoutState = { logout: true };

const isLogout = (state: unknown) => (state as Partial<typeof logoutState> | null)?.logout === true;

/**
 * Logs out by navigating home first. A page with unsaved changes can then ask "Leave?" as for any navigation, and
 * staying cancels the logout.
 */
export function useLogout(): () => void {
  const [logout] = useLogoutMutation();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { state } = useLocation();
  const arrived = isLogout(state);

  useEffect(() => {
    if (!arrived) return;
    const end = async () => {
      // Clear the state first: Back or a reload must not log out the next user.
      await navigate(paths.home, { replace: true });
      // Revoke the token if the server answers in time; sign out here in any case.
      await Promise.race([logout(), new Promise((resolve) => setTimeout(resolve, serverTimeoutMs))]);
      dispatch(signedOut());
    };
    void end();
  }, [arrived, navigate, logout, dispatch]);

  return () => void navigate(paths.home, { state: logoutState });
}
