import type { TotpSecret } from '@interview-prep/contracts/second-factor-step';
import { Button, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CodeField } from '../../../components/second-factor/code-field.tsx';
import { TotpSecretView } from '../../../components/second-factor/totp-secret.tsx';
import { useConfirmTotpMutation } from '../../../lib/api/account-security-api.ts';
import { errorMessage } from '../../../lib/api/api-error.ts';
import formClasses from '../account-form.module.css';

interface TotpSetUpProps extends TotpSecret {
  /** With the recovery codes, or null where the user cancelled. */
  onEnd: (recoveryCodes: string[] | null) => void;
}

/** Sets up an authenticator app: scan, then prove it with a code. */
export function TotpSetUp({ onEnd, ...secret }: TotpSetUpProps) {
  const [code, setCode] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [confirm, { isLoading }] = useConfirmTotpMutation();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) return;
    if (code.trim() === '') return setRefusal('Please enter the code.');
    const { data, error } = await confirm({ code });
    if (data) onEnd(data.recoveryCodes);
    else setRefusal(errorMessage(error, 'Failed to change the sign-in'));
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TotpSecretView {...secret} />
        <CodeField
          label="Code"
          description="Six digits from the app"
          digits
          value={code}
          error={refusal}
          onChange={(value) => {
            setCode(value);
            setRefusal(undefined);
          }}
        />
        <div className={formClasses.actions}>
          <Button type="submit" loading={isLoading}>
            Turn on
          </Button>
          <Button variant="default" onClick={() => onEnd(null)}>
            Cancel
          </Button>
        </div>
      </Stack>
    </form>
  );
}
