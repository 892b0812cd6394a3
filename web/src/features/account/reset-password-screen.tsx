import { Alert, Anchor, Button, Text } from '@mantine/core';
import { IconCheck, IconLinkOff } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { errorMessage } from '../../app/api-error.ts';
import { fallbacks, messages } from '../../app/messages.ts';
import { paths } from '../../app/paths.ts';
import { toast } from '../../app/toasts.ts';
import { useResetPasswordMutation } from './account-api.ts';
import { AccountCard } from './account-card.tsx';
import classes from './account-form.module.css';
import { FormRefusal } from './form-refusal.tsx';
import { PasswordField } from './password-field.tsx';
import { newPasswordFault, repeatedFault } from './password-rules.ts';
import { useFaultFocus } from './use-fault-focus.ts';

/** Source: product specification, section 2, route /reset-password: the token is in the query string. */
export default function ResetPasswordScreen() {
  const token = useSearchParams()[0].get('token')?.trim() ?? '';
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [attempts, setAttempts] = useState(0);
  const [resetPassword, { isLoading, isSuccess, error }] = useResetPasswordMutation();
  const form = useFaultFocus(attempts);

  const faults = {
    password: newPasswordFault(password),
    repeated: repeatedFault(password, repeated, messages.password.mismatch),
  };
  const shown: Partial<typeof faults> = attempts > 0 ? faults : {};

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) return;
    if (faults.password ?? faults.repeated) return setAttempts((former) => former + 1);
    const answer = await resetPassword({ token, password });
    if (answer.error) toast.error(messages.password.resetFailed, { id: 'password' });
  };

  if (token === '') {
    return (
      <AccountCard title="Reset password">
        <Alert role="alert" color="orange" icon={<IconLinkOff />} title={messages.password.tokenMissing} />
        <Button component={Link} to={paths.forgotPassword} variant="default" fullWidth mt="md">
          Ask for a new link
        </Button>
      </AccountCard>
    );
  }
  if (isSuccess) {
    return (
      <AccountCard title="Password changed">
        <Alert role="status" color="teal" icon={<IconCheck />} title="Your password has been reset.">
          <Text size="sm">Every former session has ended. Sign in with the new password.</Text>
        </Alert>
      </AccountCard>
    );
  }
  return (
    <AccountCard title="Reset password" lead="Choose a new password of at least 8 characters.">
      <form ref={form} onSubmit={submit} className={classes.form} noValidate>
        {error && (
          <FormRefusal reason={errorMessage(error, fallbacks.resetPassword)}>
            The link works once, for one hour.{' '}
            <Anchor component={Link} to={paths.forgotPassword} inherit>
              Ask for a new link
            </Anchor>
          </FormRefusal>
        )}
        <PasswordField
          label="New Password"
          name="password"
          autoComplete="new-password"
          value={password}
          error={shown.password}
          onChange={setPassword}
        />
        <PasswordField
          label="Confirm New Password"
          name="repeated"
          autoComplete="new-password"
          value={repeated}
          error={shown.repeated}
          onChange={setRepeated}
        />
        <Button type="submit" size="md" fullWidth aria-disabled={isLoading}>
          {isLoading ? 'Resetting...' : 'Reset Password'}
        </Button>
      </form>
    </AccountCard>
  );
}
