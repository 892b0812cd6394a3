import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../../lib/paths.ts';

/** The navigation state of a logout. */
const logoutState = { logout: true };

/**
 * Logs out by navigating home first, where `LogoutHost` does the rest. A page with unsaved changes can then ask "Leave?" as for any
 * navigation, and staying cancels the logout.
 */
export function useLogout(): () => void {
  const navigate = useNavigate();
  return () => void navigate(paths.home, { state: logoutState });
}

/** Whether the navigation to this page was a logout. */
export function useIsLogout(): boolean {
  const state: unknown = useLocation().state;
  return (state as Partial<typeof logoutState> | null)?.logout === true;
}
