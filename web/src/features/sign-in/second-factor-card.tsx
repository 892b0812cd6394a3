import type { SecondFactorStep } from '@interview-prep/contracts/auth/second-factor-step';
import type { SignedInUser } from '@interview-prep/contracts/auth/users';
import { Anchor, Button, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { BareCard } from '../../components/bare-card.tsx';
import { CodeField } from '../../components/second-factor/code-field.tsx';
import { RecoveryCodeList, TotpSecretView } from '../../components/second-factor/totp-secret.tsx';
import { errorMessage } from '../../lib/api/api-error.ts';
import { fallbacks } from '../../lib/messages.ts';
import { signedIn } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch } from '../../lib/state/state-hooks.ts';
import { useSecondFactorMutation } from './sign-in-api.ts';

interface SecondFactorCardProps {
  step: SecondFactorStep;
  /** Returns to email and password. */
  onCancel: () => void;
}

/** The second step of a sign-in: a code, or setting up the app that the role requires. */
export default function SecondFactorCard({ step, onCancel }: SecondFactorCardProps) {
  const [code, setCode] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [done, setDone] = useState<{ user: SignedInUser; recoveryCodes: string[] } | null>(null);
  const [send, { isLoading }] = useSecondFactorMutation();
  const dispatch = useAppDispatch();
  const { enrolment } = step;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) return;
    if (code.trim() === '') return setRefusal('Please enter the code.');
    const { data, error } = await send({ challenge: step.challenge, code });
    if (!data) return setRefusal(errorMessage(error, fallbacks.authentication));
    if (data.recoveryCodes) setDone({ user: data.user, recoveryCodes: data.recoveryCodes });
    else dispatch(signedIn(data.user));
  };
  const change = (value: string) => {
    setCode(value);
    setRefusal(undefined);
  };

  const back = (
    <Anchor component="button" type="button" onClick={onCancel}>
      Back to login
    </Anchor>
  );
  if (done) {
    return (
      <BareCard title="Your recovery codes" foot={null}>
        <Stack>
          <RecoveryCodeList codes={done.recoveryCodes} />
          <Button size="md" fullWidth onClick={() => dispatch(signedIn(done.user))}>
            I have kept them
          </Button>
        </Stack>
      </BareCard>
    );
  }
  return (
    <BareCard
      title={enrolment ? 'Set up an authenticator app' : 'Enter your code'}
      lead={
        enrolment
          ? 'Your role requires a code as well as your password.'
          : 'Your account is protected by an authenticator app.'
      }
      foot={back}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          {enrolment && <TotpSecretView {...enrolment} />}
          <CodeField
            label="Code"
            description={
              step.methods.includes('recovery-code')
                ? 'Six digits from the app, or a recovery code'
                : 'Six digits from the app'
            }
            digits={!step.methods.includes('recovery-code')}
            value={code}
            error={refusal}
            onChange={change}
          />
          <Button type="submit" size="md" fullWidth aria-disabled={isLoading}>
            {isLoading ? 'Loading...' : 'Continue'}
          </Button>
        </Stack>
      </form>
    </BareCard>
  );
}
