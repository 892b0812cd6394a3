import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface FormRefusalProps {
  /** The server's message, or the fallback. */
  reason: string;
  /** What to do, if it is not to try again. */
  children?: ReactNode;
}

/** Why the server refused a form. */
export function FormRefusal({ reason, children }: FormRefusalProps) {
  return (
    <Alert role="alert" color="orange" title={reason} icon={<IconAlertTriangle />}>
      {children}
    </Alert>
  );
}
