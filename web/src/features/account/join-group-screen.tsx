import type { GroupPreview } from '@interview-prep/contracts/auth/groups';
import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { IconLinkOff, IconMail } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { BareCard } from '../../components/bare-card.tsx';
import { WhatCoachesSee } from '../../components/what-coaches-see.tsx';
import { errorMessage } from '../../lib/api/api-error.ts';
import {
  useAcceptInvitationMutation,
  useFirstSignInMutation,
  useJoinGroupMutation,
  usePreviewGroupQuery,
  useRequestInvitationMutation,
} from '../../lib/api/groups-api.ts';
import { messages } from '../../lib/messages.ts';
import { paths } from '../../lib/paths.ts';
import { selectUser, signedIn } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/state-hooks.ts';
import { toast } from '../../lib/toasts.ts';
import { FormRefusal, useErrorFocus } from './account-card.tsx';
import classes from './account-form.module.css';
import { NewPasswordFields, useNewPassword } from './new-password-fields.tsx';

/** A key for joining: an invitation token or a join code. */
type Key = { token: string } | { code: string };

/** Where the key is kept during a sign-in, since a redirect through a provider loses the fragment. */
const storageKey = 'join-group';

function keyIn(hash: string): Key | null {
  const fields = new URLSearchParams(hash.slice(1));
  const [token, code] = [fields.get('token')?.trim(), fields.get('code')?.trim()];
  return token ? { token } : code ? { code } : null;
}

function waitingKey(): Key | null {
  try {
    return keyIn(`#${sessionStorage.getItem(storageKey) ?? ''}`);
  } catch {
    return null;
  }
}

/** Stores the key in this tab and goes to a page that requires a sign-in. */
function SignInToJoin({ of, variant = 'filled' }: { of: Key; variant?: 'filled' | 'default' }) {
  const navigate = useNavigate();
  const hash = new URLSearchParams(of).toString();
  const go = () => {
    try {
      sessionStorage.setItem(storageKey, hash);
    } catch {
      // The fragment is enough, unless a provider's page comes in between.
    }
    void navigate({ pathname: paths.joinSignedIn, hash });
  };
  return (
    <Button fullWidth size="md" variant={variant} onClick={go}>
      Sign in to join
    </Button>
  );
}

/** Asks for the code if the URL has none. */
function CodeForm() {
  const navigate = useNavigate();
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '') void navigate({ hash: new URLSearchParams({ code: code.trim() }).toString() });
  };
  return (
    <form onSubmit={submit} className={classes.form} noValidate>
      <TextInput
        label="Code"
        description="Your coach has it. It looks like 7K3QX-M2PRT."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" size="md" fullWidth>
        Continue
      </Button>
    </form>
  );
}

/** A new user chooses a password, which creates the account, joins the group and signs in. */
function NewPersonForm({ token, email }: { token: string; email: string }) {
  const [accept, { isLoading, error }] = useAcceptInvitationMutation();
  const [signIn] = useFirstSignInMutation();
  const [name, setName] = useState('');
  const typed = useNewPassword(messages.password.mismatch);
  const [attempts, setAttempts] = useState(0);
  const form = useErrorFocus(attempts);
  const dispatch = useAppDispatch();
  const navigate = useNavigate();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) return;
    if (typed.error) return setAttempts((count) => count + 1);
    const answer = await accept({ token, name, password: typed.password });
    if (answer.error) {
      if (typed.refuse(answer.error, 'password')) setAttempts((count) => count + 1);
      return;
    }
    const { data } = await signIn({ email, password: typed.password });
    if (data && 'user' in data) dispatch(signedIn(data.user));
    toast.success('Your account is ready');
    void navigate(paths.groups);
  };
  return (
    <form ref={form} onSubmit={submit} className={classes.form} noValidate>
      {error && !typed.isRefused && <FormRefusal reason={errorMessage(error, 'Failed to join the group')} />}
      <TextInput label="Email" value={email} disabled autoComplete="username" />
      <TextInput
        label="Your name"
        description="Optional. Coaches see it."
        autoComplete="name"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NewPasswordFields typed={typed} checked={attempts > 0} />
      <Button type="submit" size="md" fullWidth aria-disabled={isLoading}>
        {isLoading ? 'Joining…' : 'Create account and join'}
      </Button>
    </form>
  );
}

/** Sends visitors without an account an invitation by mail, to verify their address. */
function MailForm({ code }: { code: string }) {
  const [request, { isLoading, data, error }] = useRequestInvitationMutation();
  const [email, setEmail] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isLoading) void request({ code, email });
  };
  if (data) return <Alert role="status" color="teal" icon={<IconMail />} title={data.message} />;
  return (
    <form onSubmit={submit} className={classes.form} noValidate>
      <TextInput
        label="No account yet? Enter your email"
        type="email"
        autoComplete="email"
        value={email}
        error={error && errorMessage(error, 'Failed to send the mail')}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" size="md" fullWidth loading={isLoading}>
        Send me a link
      </Button>
    </form>
  );
}

/** For signed-in users. */
function JoinButton({ of, email }: { of: Key; email: string }) {
  const [join, { isLoading, error }] = useJoinGroupMutation();
  const navigate = useNavigate();
  const confirm = async () => {
    const { data } = await join(of);
    if (!data) return;
    sessionStorage.removeItem(storageKey);
    toast.success('You are in the group');
    void navigate(paths.group(data.groupId));
  };
  return (
    <>
      {error && <FormRefusal reason={errorMessage(error, 'Failed to join the group')} />}
      <Button fullWidth size="md" loading={isLoading} onClick={() => void confirm()}>
        Join as {email}
      </Button>
    </>
  );
}

/** The options with a valid key: join, sign in, or create an account. */
function Ways({ of, preview }: { of: Key; preview: GroupPreview }) {
  const user = useAppSelector(selectUser);
  return (
    <Stack>
      <WhatCoachesSee coaches={preview.coaches} />
      {user ? (
        <JoinButton of={of} email={user.email} />
      ) : preview.choosesPassword && 'token' in of ? (
        <>
          <NewPersonForm token={of.token} email={preview.email ?? ''} />
          <Text size="sm" ta="center" c="dimmed">
            Already have another account?
          </Text>
          <SignInToJoin of={of} variant="default" />
        </>
      ) : (
        <>
          <SignInToJoin of={of} />
          {'code' in of && <MailForm code={of.code} />}
        </>
      )}
    </Stack>
  );
}

/** The landing page of an invitation or join code: describes the group, tells what coaches will see, and lets the user join. */
export default function JoinGroupScreen() {
  const { hash } = useLocation();
  const user = useAppSelector(selectUser);
  const key = keyIn(hash) ?? (user ? waitingKey() : null);
  const { data, error } = usePreviewGroupQuery(key ?? { code: '' }, { skip: key === null });
  const title = data ? `Join “${data.groupName}”` : 'Join a group';
  return (
    <BareCard
      title={title}
      foot={
        <Anchor component={Link} to={paths.home}>
          {user ? 'Back to the home page' : 'Back to login'}
        </Anchor>
      }
    >
      {key === null && <CodeForm />}
      {key !== null && error && (
        <Stack>
          <Alert
            role="alert"
            color="orange"
            icon={<IconLinkOff />}
            title={errorMessage(error, 'Failed to read the invitation')}
          />
          <Button component={Link} to={paths.join} variant="default">
            Enter a code
          </Button>
        </Stack>
      )}
      {key !== null && data && <Ways of={key} preview={data} />}
      {key !== null && !data && !error && (
        <Text role="status" ta="center" c="dimmed">
          Loading...
        </Text>
      )}
    </BareCard>
  );
}
