import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './screen.module.css';

interface ScreenProps {
  /** The page's one h1. */
  title?: ReactNode;
  /** A line under the title. */
  lead?: ReactNode;
  /** Shown to the right of the title. */
  actions?: ReactNode;
  /** 1120 px for content, 640 px for forms. */
  width?: 'content' | 'form';
  children: ReactNode;
}

/** The layout of a page: width, margins and heading. */
export function Screen({ title, lead, actions, width = 'content', children }: ScreenProps) {
  return (
    <div className={classes.screen} data-width={width}>
      {(title || actions) && (
        <Group gap="md" align="flex-end" justify="space-between" mb="lg">
          <div>
            {title && <Title order={1}>{title}</Title>}
            {lead && (
              <Text c="dimmed" mt={4}>
                {lead}
              </Text>
            )}
          </div>
          {actions}
        </Group>
      )}
      {children}
    </div>
  );
}
