import type { ReactNode } from 'react';
import classes from './busy-fieldset.module.css';

/** Disables every control within while a request is in flight. */
export function BusyFieldset({ busy, children }: { busy: boolean; children: ReactNode }) {
  return (
    <fieldset className={classes.fieldset} disabled={busy} aria-busy={busy}>
      {children}
    </fieldset>
  );
}
