import { Alert, Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { Screen } from '../../components/screen.tsx';
import { errorMessage } from '../../lib/api/api-error.ts';
import { fallbacks, messages } from '../../lib/messages.ts';
import { paths } from '../../lib/paths.ts';
import { userChanged } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch } from '../../lib/state/state-hooks.ts';
import { toast } from '../../lib/toasts.ts';
import { useChangePasswordMutation } from './account-api.ts';
import { FormRefusal, useErrorFocus } from './account-card.tsx';
import classes from './account-form.module.css';
import { NewPasswordFields, PasswordField, useNewPassword } from './new-password-fields.tsx';

/** Source: product specification, section 9, redirect after password change. */
const redirectAfterMs = 1500;

/** Source: product specification, section 2, route /change-password. The server revokes every other sign-in of the user. */
export default function ChangePasswordScreen() {
  const [current, setCurrent] = useState('');
  const typed = useNewPassword(messages.password.newMismatch);
  const [attempts, setAttempts] = useState(0);
  const [changePassword, { isLoading, isSuccess, error }] = useChangePasswordMutation();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const form = useErrorFocus(attempts);

  useEffect(() => {
    if (!isSuccess) return;
    const timer = setTimeout(() => void navigate(paths.home), redirectAfterMs);
    return () => clearTimeout(timer);
  }, [isSuccess, navigate]);

  const currentError = current === '' ? messages.password.currentMissing : undefined;
  const busy = isLoading || isSuccess;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (currentError ?? typed.error) return setAttempts((count) => count + 1);
    const { data, error: refusal } = await changePassword({ currentPassword: current, newPassword: typed.password });
    if (refusal && typed.refuse(refusal, 'newPassword')) return setAttempts((count) => count + 1);
    if (refusal) return toast.error(messages.password.changeFailed, { id: 'password' });
    if (data.token !== undefined) dispatch(userChanged({ token: data.token }));
    toast.success(messages.password.changed, { id: 'password' });
  };

  return (
    <Screen width="form" title="Change Password" lead="You'll stay signed in here and be signed out on other devices.">
      <form ref={form} onSubmit={submit} className={`${classes.form} ${classes.card}`} noValidate>
        {isSuccess && (
          <Alert role="status" color="teal" icon={<IconCheck />} title={messages.password.changed}>
            Taking you to the interview sets…
          </Alert>
        )}
        {error && !typed.isRefused && <FormRefusal reason={errorMessage(error, fallbacks.changePassword)} />}
        <PasswordField
          label="Current Password"
          name="current"
          autoComplete="current-password"
          value={current}
          error={attempts > 0 && currentError}
          onChange={setCurrent}
        />
        <NewPasswordFields typed={typed} checked={attempts > 0} description="At least 8 characters" />
        <div className={classes.actions}>
          <Button type="submit" size="md" aria-disabled={busy}>
            {isLoading ? 'Changing...' : 'Change Password'}
          </Button>
          <Button component={Link} to={paths.profile} size="md" variant="default">
            Cancel
          </Button>
        </div>
      </form>
    </Screen>
  );
}
