import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

interface NoticeProps {
  icon?: ReactNode;
  /** 'No interviews found.' or the failure's message. */
  title: ReactNode;
  /** Reassurance and instructions. */
  children?: ReactNode;
  /** The next step: a button or a link. */
  action?: ReactNode;
  /** Whether screen readers announce it immediately. */
  alert?: boolean;
}

/** Shown in place of content for an empty list or a failed load, with the next action. */
export function Notice({ icon, title, children, action, alert = false }: NoticeProps) {
  return (
    <div className={classes.notice} role={alert ? 'alert' : undefined}>
      {icon && (
        <div className={classes.icon} aria-hidden>
          {icon}
        </div>
      )}
      <Text fw={600}>{title}</Text>
      {children && (
        <Text component="div" c="dimmed" size="sm" maw="52ch">
          {children}
        </Text>
      )}
      {action && <Box mt="sm">{action}</Box>}
    </div>
  );
}
