import type { AccountSecurity } from '@interview-prep/contracts/auth/account-security';
import type { Auth } from '../auth.ts';
import { linkedProviders } from '../identities/providers.ts';
import { presentPasskey } from '../passkeys/model.ts';
import type { UserRecord } from '../users/model.ts';

/** A user's sign-in methods, without secrets. */
export async function accountSecurityOf(
  user: UserRecord,
  {
    passkeyRecords,
    passkeySite,
    factorRoles,
    providers,
  }: Pick<Auth, 'passkeyRecords' | 'passkeySite' | 'factorRoles' | 'providers'>,
): Promise<AccountSecurity> {
  return {
    hasPassword: user.passwordHash !== undefined,
    totp: user.totp !== undefined,
    recoveryCodesLeft: user.recovery?.hashes.length ?? 0,
    secondFactorRequired: factorRoles.has(user.role),
    passkeys: (await passkeyRecords.find({ userId: user._id }).sort({ createdAt: 1 }).lean()).map(presentPasskey),
    passkeyHost: passkeySite?.id ?? null,
    providers: linkedProviders(providers, user.identities),
  };
}
