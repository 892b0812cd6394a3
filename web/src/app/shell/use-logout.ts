import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useLogoutMutation } from '../../features/sign-in/sign-in-api.ts';
import { paths } from '../../lib/paths.ts';
import { signedOut } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch } from '../../lib/state/state-hooks.ts';

/** Whoever logs out is not kept waiting for a server that does not answer. */
const patienceMs = 2000;

/** What the way home carries on a logout. */
const intention = { logout: true };

const isIntended = (state: unknown) => (state as Partial<typeof intention> | null)?.logout === true;

/**
 * Logout leads home, and ends the session there: where something unsaved holds the navigation, the person is asked first,
 * stays signed in meanwhile, and the answer to "Leave?" decides about the logout too.
 */
export function useLogout(): () => void {
  const [logout] = useLogoutMutation();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { state } = useLocation();
  const arrived = isIntended(state);

  useEffect(() => {
    if (!arrived) return;
    const end = async () => {
      // The history forgets it first: neither Back nor a reload shall log out a later session.
      await navigate(paths.home, { replace: true });
      // The token ends on the server where it can be reached; here the session ends in any case.
      await Promise.race([logout(), new Promise((resolve) => setTimeout(resolve, patienceMs))]);
      dispatch(signedOut());
    };
    void end();
  }, [arrived, navigate, logout, dispatch]);

  return () => void navigate(paths.home, { state: intention });
}
