import { Stack } from '@mantine/core';
import { useState } from 'react';
import { failureOf, LoadFailure } from '../../../components/load-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { useGetAccountSecurityQuery } from '../../../lib/api/account-security-api.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { LinkedAccounts } from './linked-accounts.tsx';
import { Passkeys } from './passkeys.tsx';
import { SignIns } from './sign-ins.tsx';

/** Two-step verification, passkeys, linked accounts and active sign-ins. */
export default function SecurityScreen() {
  const query = useGetAccountSecurityQuery();
  const [factorChanged, setFactorChanged] = useState(false);
  const noteChange = () => setFactorChanged(true);
  const failure = failureOf([query, fallbacks.fetchData]);
  return (
    <Screen width="form" title="Sign-in and Security" lead="Two-step verification, passkeys and active sessions.">
      {query.data ? (
        <Stack>
          <AuthenticatorApp security={query.data} onChange={noteChange} />
          <Passkeys security={query.data} onChange={noteChange} />
          <LinkedAccounts security={query.data} onChange={noteChange} />
          <SignIns factorChanged={factorChanged} />
        </Stack>
      ) : (
        failure && <LoadFailure {...failure} />
      )}
    </Screen>
  );
}
