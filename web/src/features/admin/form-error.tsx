import { Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import classes from './form-error.module.css';

/** What is wrong with a form as a whole; announced at once. */
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
