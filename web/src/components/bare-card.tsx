import { Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './bare-card.module.css';

/** The product's mark: a level meter. Decoration beside the name. */
export function Logo({ size = 28 }: { size?: number }) {
  return <img src="/icon.svg" width={size} height={size} alt="" />;
}

interface BareCardProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** A link at the bottom of the card. */
  foot: ReactNode;
  /** Below the card. */
  below?: ReactNode;
}

/** A page without a navigation bar: one centered card. */
export function BareCard({ title, lead, children, foot, below }: BareCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shownTitle = useRef(title);
  useEffect(() => {
    if (shownTitle.current === title) return;
    shownTitle.current = title;
    // The focused element was removed with the previous content.
    heading.current?.focus();
  }, [title]);

  return (
    <Stack gap="lg" align="center" justify="center" mih="100dvh" py="xl" px="md">
      <Paper className={classes.card} withBorder>
        <Stack gap="sm" align="center" mb="lg" ta="center">
          <Logo size={40} />
          <Title order={1} size="h2" ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {lead && (
            <Text size="sm" c="dimmed">
              {lead}
            </Text>
          )}
        </Stack>
        {children}
        <Text ta="center" size="sm" mt="md">
          {foot}
        </Text>
      </Paper>
      {below}
    </Stack>
  );
}
