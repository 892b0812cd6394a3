import { Stack } from '@mantine/core';
import { failureOf } from '../../../components/failed-loads.ts';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { useGetAccountSecurityQuery } from '../../../lib/api/account-security-api.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { Passkeys } from './passkeys.tsx';

/** How the user signs in, besides the password. */
export default function SecurityScreen() {
  const query = useGetAccountSecurityQuery();
  const failure = failureOf([query, fallbacks.fetchData]);
  return (
    <Screen width="form" title="Sign-in and Security" lead="What protects your account besides the password.">
      {query.data ? (
        <Stack>
          <AuthenticatorApp security={query.data} />
          <Passkeys security={query.data} />
        </Stack>
      ) : (
        failure && <LoadFailure {...failure} />
      )}
    </Screen>
  );
}
