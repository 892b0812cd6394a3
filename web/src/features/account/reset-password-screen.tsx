import { Alert, Anchor, Button, Text } from '@mantine/core';
import { IconCheck, IconLinkOff } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { errorMessage } from '../../lib/api/api-error.ts';
import { fallbacks, messages } from '../../lib/messages.ts';
import { paths } from '../../lib/paths.ts';
import { toast } from '../../lib/toasts.ts';
import { useCheckResetLinkQuery, useResetPasswordMutation } from './account-api.ts';
import { AccountCard, FormRefusal, useErrorFocus } from './account-card.tsx';
import classes from './account-form.module.css';
import { NewPasswordFields, useNewPassword } from './new-password-fields.tsx';
import { OtherAccess } from './other-access.tsx';

/**
 * Links carry the token in the fragment, which browsers never send to a server. It is also read from the query string.
 * Source: product specification, section 2, route /reset-password.
 */
export default function ResetPasswordScreen() {
  const { hash, search } = useLocation();
  const given = [hash.slice(1), search].map((text) => new URLSearchParams(text)).find((fields) => fields.has('token'));
  const token = given?.get('token')?.trim() ?? '';
  const isInvited = given?.has('invited') ?? false;
  const typed = useNewPassword(messages.password.mismatch);
  const [attempts, setAttempts] = useState(0);
  const [resetPassword, { isLoading, isSuccess, error, data }] = useResetPasswordMutation();
  const form = useErrorFocus(attempts);
  // Only check when the screen opens: using the link invalidates it.
  const check = useCheckResetLinkQuery({ token }, { skip: token === '' || isSuccess });
  const ended = check.error && 'status' in check.error && check.error.status === 400 && !isLoading && !isSuccess;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) return;
    if (typed.error) return setAttempts((count) => count + 1);
    const answer = await resetPassword({ token, password: typed.password });
    if (!answer.error) return;
    if (typed.refuse(answer.error, 'password')) setAttempts((count) => count + 1);
    else toast.error(messages.password.resetFailed, { id: 'password' });
  };

  if (token === '' || ended) {
    const title = ended ? errorMessage(check.error, fallbacks.resetPassword) : messages.password.tokenMissing;
    return (
      <AccountCard title="Reset password">
        <Alert role="alert" color="orange" icon={<IconLinkOff />} title={title} />
        <Button component={Link} to={paths.forgotPassword} variant="default" fullWidth mt="md">
          Request a new link
        </Button>
      </AccountCard>
    );
  }
  if (isSuccess) {
    return (
      <AccountCard title="Password changed">
        <Alert role="status" color="teal" icon={<IconCheck />} title="Your password has been reset.">
          <Text size="sm">You've been signed out on other devices. Sign in with your new password.</Text>
        </Alert>
        {data?.ticket && <OtherAccess {...data} />}
      </AccountCard>
    );
  }
  return (
    <AccountCard
      title={isInvited ? 'Choose your password' : 'Reset password'}
      lead={
        isInvited
          ? 'Welcome. Choose a password of at least 8 characters, then sign in with your email.'
          : 'Choose a new password of at least 8 characters.'
      }
    >
      <form ref={form} onSubmit={submit} className={classes.form} noValidate>
        {error && !typed.isRefused && (
          <FormRefusal reason={errorMessage(error, fallbacks.resetPassword)}>
            The link can be used once and expires soon.{' '}
            <Anchor component={Link} to={paths.forgotPassword} inherit>
              Request a new link
            </Anchor>
          </FormRefusal>
        )}
        <NewPasswordFields typed={typed} checked={attempts > 0} />
        <Button type="submit" size="md" fullWidth aria-disabled={isLoading}>
          {isLoading ? 'Resetting...' : 'Reset Password'}
        </Button>
      </form>
    </AccountCard>
  );
}
