import type { PublicSettings } from '@interview-prep/contracts/api/operations';
import type { SecondFactorStep } from '@interview-prep/contracts/auth/second-factor-step';
import { Anchor, Button, Divider, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconKey, IconLogin2 } from '@tabler/icons-react';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { BareCard } from '../../components/bare-card.tsx';
import { failureOf, PartFailure } from '../../components/load-failure.tsx';
import { usePasskeySignInOptionsMutation } from '../../lib/api/account-security-api.ts';
import { errorMessage } from '../../lib/api/api-error.ts';
import { useGetSettingsQuery } from '../../lib/api/base-api.ts';
import { fallbacks, messages } from '../../lib/messages.ts';
import { useRouteTitle } from '../../lib/page-title.ts';
import { paths } from '../../lib/paths.ts';
import { goToProvider } from '../../lib/provider-attempt.ts';
import { signedIn } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch } from '../../lib/state/state-hooks.ts';
import { toast } from '../../lib/toasts.ts';
import { GoogleButton } from './google-button.tsx';
import classes from './login-screen.module.css';
import {
  type SignInOutcome,
  useLoginMutation,
  useOidcSignInMutation,
  usePasskeySignInMutation,
} from './sign-in-api.ts';

/** Passkeys belong to a host name, not to an IP address. */
const worksHere = () => Boolean(window.PublicKeyCredential) && !/^[\d.]+$|^\[/.test(window.location.hostname);

type DemoLogin = PublicSettings['demoLogins'][number];

interface DemoLoginsProps {
  logins: readonly DemoLogin[];
  onChoose: (login: DemoLogin) => void;
}

/** The demo logins, as chips that fill in the form. */
function DemoLogins({ logins, onChoose }: DemoLoginsProps) {
  if (logins.length === 0) return null;
  return (
    <Stack component="section" gap="xs" align="center" w="min(100%, 420px)" aria-label="Demo logins">
      <Text size="sm" c="dimmed">
        Demo logins: pick one, then sign in
      </Text>
      <Group gap="xs" align="stretch" justify="center">
        {logins.map((login) => (
          <Button key={login.email} size="xs" radius="xl" variant="default" onClick={() => onChoose(login)}>
            {login.email}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}

const SecondFactorCard = lazy(() => import('./second-factor-card.tsx'));

/** The toast id for failed attempts, so that a successful one dismisses it. */
const signInToast = 'sign-in';

interface LoginScreenProps {
  goTo: (path: string) => void;
  /** Why a sign-in with the OpenID provider failed, if it redirected back here. */
  refusal?: string | undefined;
}

/** Source: product specification, section 2, login screen. Shown at any URL, whose page follows after the sign-in. */
export function LoginScreen({ goTo, refusal }: LoginScreenProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [step, setStep] = useState<SecondFactorStep | null>(null);
  const [login, { isLoading }] = useLoginMutation();
  const settingsQuery = useGetSettingsQuery();
  const settings = settingsQuery.data;
  const dispatch = useAppDispatch();
  useRouteTitle('Login');
  const settingsFailure = failureOf([settingsQuery, fallbacks.fetchData]);

  const proceed = (outcome: SignInOutcome) => {
    if ('secondFactor' in outcome) setStep(outcome.secondFactor);
    else dispatch(signedIn(outcome));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) return;
    const answer = await login({ email, password });
    if (answer.data) {
      toast.dismiss(signInToast);
      proceed(answer.data);
    } else {
      toast.error(errorMessage(answer.error, messages.signIn.invalidCredentials), { id: signInToast });
    }
  };

  if (step) {
    const cancel = () => {
      setPassword('');
      setStep(null);
    };
    return (
      <Suspense fallback={null}>
        <SecondFactorCard step={step} onCancel={cancel} />
      </Suspense>
    );
  }
  return (
    <BareCard
      title="Interview Platform Login"
      foot={
        <Anchor
          href={paths.forgotPassword}
          onClick={(event) => {
            // Other clicks open a new tab.
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            goTo(paths.forgotPassword);
          }}
        >
          Forgot your password?
        </Anchor>
      }
      below={
        <DemoLogins
          logins={settings?.demoLogins ?? []}
          onChoose={(chosen) => {
            setEmail(chosen.email);
            setPassword(chosen.password);
          }}
        />
      }
    >
      <div className={classes.providers}>
        {(settings?.googleClientId || !settings?.oidc) && (
          <GoogleButton clientId={settings?.googleClientId} onAnswer={proceed} />
        )}
        {settings?.oidc && <OidcButton name={settings.oidc.name} refusal={refusal} />}
      </div>
      {settingsFailure && <PartFailure mt="md" {...settingsFailure} />}
      <Divider my="lg" label="Or continue with" labelPosition="center" />
      <form onSubmit={submit} className={classes.form}>
        <TextInput
          label="Email"
          name="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
        />
        <Button type="submit" size="md" fullWidth mt="xs" aria-disabled={isLoading}>
          {isLoading ? 'Loading...' : 'Sign In'}
        </Button>
      </form>
      <PasskeyButton />
    </BareCard>
  );
}

/** 'Sign in with …' an OpenID provider: redirects to its page. `refusal`: why the last such sign-in failed. */
function OidcButton({ name, refusal }: { name: string; refusal: string | undefined }) {
  const [begin] = useOidcSignInMutation();
  const [leaving, setLeaving] = useState(false);
  const [reason, setReason] = useState(refusal);

  const leave = async () => {
    setLeaving(true);
    setReason(undefined);
    const { data, error } = await begin();
    const { pathname, search } = window.location;
    const why = data
      ? goToProvider(data.url, { attempt: data.attempt, purpose: 'sign-in', name, returnTo: pathname + search })
      : errorMessage(error, `Failed to sign in with ${name}`);
    // On success the browser is already leaving the page.
    if (why !== undefined) setLeaving(false);
    setReason(why);
  };
  return (
    <div>
      <Button
        fullWidth
        size="md"
        variant="default"
        leftSection={<IconLogin2 size={18} stroke={1.5} aria-hidden />}
        loading={leaving}
        onClick={() => void leave()}
      >
        {`Sign in with ${name}`}
      </Button>
      {reason && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)" ta="center" mt={6}>
          {reason}
        </Text>
      )}
    </div>
  );
}

/** 'Sign in with a passkey', if the browser supports passkeys. */
function PasskeyButton() {
  const [begin] = usePasskeySignInOptionsMutation();
  const [send] = usePasskeySignInMutation();
  const [busy, setBusy] = useState(false);
  const dispatch = useAppDispatch();
  if (!worksHere()) return null;

  const signIn = async () => {
    setBusy(true);
    try {
      const options = await begin().unwrap();
      const { startAuthentication } = await import('@simplewebauthn/browser');
      const passkey = await startAuthentication({ optionsJSON: options });
      const { user } = await send({ passkey }).unwrap();
      dispatch(signedIn(user));
    } catch (error) {
      // The browser's message for a canceled dialog is meant for developers.
      const isBrowsers = error instanceof Error;
      toast.error(isBrowsers ? 'No passkey was used' : errorMessage(error, fallbacks.authentication), {
        id: signInToast,
      });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="subtle"
      fullWidth
      mt="xs"
      loading={busy}
      leftSection={<IconKey size={18} stroke={1.5} aria-hidden />}
      onClick={() => void signIn()}
    >
      Sign in with a passkey
    </Button>
  );
}
