import { Anchor, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths.ts';
import { Logo } from '../../app/shell/logo.tsx';
import classes from './bare-card.module.css';

interface BareCardProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** A page without a navigation bar: one card on a calm ground, like the login screen, and the way back to it. */
export function BareCard({ title, lead, children }: BareCardProps) {
  return (
    <div className={classes.page}>
      <Paper className={classes.card} withBorder>
        <div className={classes.head}>
          <Logo size={40} />
          <Title order={1} size="h2">
            {title}
          </Title>
          {lead && (
            <Text size="sm" c="dimmed">
              {lead}
            </Text>
          )}
        </div>
        {children}
        <Text ta="center" size="sm" mt="md">
          <Anchor component={Link} to={paths.home}>
            Back to login
          </Anchor>
        </Text>
      </Paper>
    </div>
  );
}
