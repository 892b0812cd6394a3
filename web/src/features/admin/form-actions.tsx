import type { ReactNode } from 'react';
import classes from './form-actions.module.css';

/** A form's buttons; on a phone they stick to the bottom edge. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
