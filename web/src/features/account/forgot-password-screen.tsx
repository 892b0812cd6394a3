import { limits } from '@interview-prep/contracts/api/limits';
import { Alert, Button, Text, TextInput } from '@mantine/core';
import { IconMailCheck } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { errorMessage } from '../../lib/api/api-error.ts';
import { fallbacks, messages } from '../../lib/messages.ts';
import { toast } from '../../lib/toasts.ts';
import { useRequestPasswordResetMutation } from './account-api.ts';
import { AccountCard, FormRefusal, useErrorFocus } from './account-card.tsx';
import classes from './account-form.module.css';

/** Source: product specification, section 2, route /forgot-password. Never reveals whether an account exists. */
export default function ForgotPasswordScreen() {
  const [email, setEmail] = useState('');
  const [attempts, setAttempts] = useState(0);
  const [request, { isLoading, isSuccess, error, reset }] = useRequestPasswordResetMutation();
  const form = useErrorFocus(attempts);
  const emailError = attempts > 0 && email.trim() === '' ? messages.password.emailMissing : undefined;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) return;
    if (email.trim() === '') return setAttempts((count) => count + 1);
    const answer = await request({ email: email.trim() });
    if (answer.error) toast.error(messages.password.sendFailed, { id: 'password' });
  };

  if (isSuccess) {
    return (
      <AccountCard title="Check your email">
        <Alert role="status" color="teal" icon={<IconMailCheck />} title={messages.password.sent}>
          <Text size="sm">The link can be used once and expires in one hour. Check spam if it doesn't arrive.</Text>
        </Alert>
        <Button variant="default" fullWidth mt="md" onClick={reset}>
          Use another email
        </Button>
      </AccountCard>
    );
  }
  return (
    <AccountCard
      title="Forgot your password?"
      lead="Enter your email and we'll send you a link to choose a new password."
    >
      <form ref={form} onSubmit={submit} className={classes.form} noValidate>
        {error && <FormRefusal reason={errorMessage(error, fallbacks.requestPasswordReset)} />}
        <TextInput
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limits.emailMaxLength}
          value={email}
          error={emailError}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" size="md" fullWidth aria-disabled={isLoading}>
          {isLoading ? 'Sending...' : 'Send Reset Link'}
        </Button>
      </form>
    </AccountCard>
  );
}
