import { Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import classes from './form-fault.module.css';

/** What is wrong with a form as a whole; announced at once. */
export function FormFault({ children }: { children: string | undefined }) {
  return (
    <div role="alert" className={classes.fault}>
      <IconAlertCircle size={18} stroke={1.75} aria-hidden />
      <Text size="sm" fw={500}>
        {children}
      </Text>
    </div>
  );
}
