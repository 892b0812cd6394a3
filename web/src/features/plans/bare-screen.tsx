import { Anchor, Box, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { BrandLink } from '../../components/brand-link.tsx';
import { Screen } from '../../components/screen.tsx';
import { paths } from '../../lib/paths.ts';

/** Warns visitors that only users with an account can save their choice. */
export function SignInHint() {
  return (
    <Text size="sm" mb="md">
      Your choice is saved with your account.{' '}
      <Anchor component={Link} to={paths.home} inherit>
        Sign in
      </Anchor>{' '}
      first.
    </Text>
  );
}

interface BareScreenProps {
  step: 1 | 2;
  title: string;
  lead: string;
  width: 'content' | 'form';
  children: ReactNode;
}

/** A step of choosing a plan, without the navigation bar. The product's name links home. */
export function BareScreen({ step, title, lead, width, children }: BareScreenProps) {
  return (
    <Screen width={width}>
      <Box mb={{ base: 24, sm: 40 }}>
        <BrandLink />
      </Box>
      <Text size="sm" c="dimmed" className="tabular">
        Step {step} of 2
      </Text>
      <Title order={1}>{title}</Title>
      <Text c="dimmed" mt={4} mb="lg">
        {lead}
      </Text>
      {children}
    </Screen>
  );
}
