import { Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './busy-fieldset.module.css';

/** A form's buttons; on a phone they stick to the bottom edge. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}

/** A form-level error, announced to screen readers at once. */
export function FormError({ children }: { children: string | undefined }) {
  return (
    <div role="alert" className={classes.error}>
      <IconAlertCircle size={18} stroke={1.75} aria-hidden />
      <Text size="sm" fw={500}>
        {children}
      </Text>
    </div>
  );
}

/** Disables all controls inside while a request is in flight. */
export function BusyFieldset({ busy, children }: { busy: boolean; children: ReactNode }) {
  return (
    <fieldset className={classes.fieldset} disabled={busy} aria-busy={busy}>
      {children}
    </fieldset>
  );
}
