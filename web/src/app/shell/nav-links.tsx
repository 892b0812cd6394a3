import type { Role } from '@interview-prep/contracts/users';
import { NavLink } from 'react-router-dom';
import { paths } from '../../lib/paths.ts';
import { screenRoutes } from '../routes.ts';
import classes from './shell.module.css';

interface NavLinksProps {
  role: Role;
  withHome?: boolean;
}

/** The navigation buttons of a role. Source: product specification, section 2, navigation bar. */
export function NavLinks({ role, withHome = false }: NavLinksProps) {
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
    </>
  );
}
