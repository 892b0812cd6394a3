import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface FormRefusalProps {
  /** In the server's words, or the fallback. */
  reason: string;
  /** What to do, where it is not to try again. */
  children?: ReactNode;
}

/** A form that was sent and refused: why. What was typed stays. */
export function FormRefusal({ reason, children }: FormRefusalProps) {
  return (
    <Alert role="alert" color="orange" title={reason} icon={<IconAlertTriangle />}>
      {children}
    </Alert>
  );
}
