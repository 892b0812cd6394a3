import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths.ts';

/** For visitors: what they choose is saved with an account only. */
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
