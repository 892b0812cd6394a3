import type { SecondFactorStep } from '@interview-prep/contracts/auth/second-factor-step';
import { Anchor, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import { BareCard } from '../../components/bare-card.tsx';
import { useFinishOidcLinkMutation } from '../../lib/api/account-security-api.ts';
import { errorMessage } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { type ProviderAttempt, takeAttempt } from '../../lib/provider-attempt.ts';
import { selectUser, signedIn } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/state-hooks.ts';
import { toast } from '../../lib/toasts.ts';
import SecondFactorCard from './second-factor-card.tsx';
import { useFinishOidcSignInMutation } from './sign-in-api.ts';

const notBegun = 'This window has begun no sign-in by a provider. Please try again.';

/** The provider's query parameters that the server accepts. */
function answerIn(search: string) {
  const query = new URLSearchParams(search);
  const given = ['state', 'code', 'iss', 'error'].flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { state: '', ...Object.fromEntries(given) };
}

/** The redirect URL of an OpenID provider: completes the sign-in or link, then returns to the page where it started. */
export default function SignInCallbackScreen() {
  const [finishSignIn] = useFinishOidcSignInMutation();
  const [finishLink] = useFinishOidcLinkMutation();
  const [isNotBegun, setNotBegun] = useState(false);
  const [step, setStep] = useState<{ of: SecondFactorStep; returnTo: string } | null>(null);
  const user = useAppSelector(selectUser);
  const dispatch = useAppDispatch();
  const navigate = useNavigate();

  const goTo = (path: string, refusal?: string) =>
    void navigate(path, { replace: true, ...(refusal === undefined ? {} : { state: { signInRefusal: refusal } }) });
  const signIn = async ({ attempt, name, returnTo }: ProviderAttempt, search: string) => {
    const { data, error } = await finishSignIn({ attempt, ...answerIn(search) });
    if (!data) return goTo(returnTo, errorMessage(error, `Failed to sign in with ${name}`));
    if ('secondFactor' in data) return setStep({ of: data.secondFactor, returnTo });
    dispatch(signedIn(data));
    goTo(returnTo);
  };
  const link = async ({ attempt, name, returnTo }: ProviderAttempt, search: string) => {
    const { error } = await finishLink({ attempt, ...answerIn(search) });
    if (error) toast.error(errorMessage(error, `Failed to link ${name}`));
    else toast.success(`${name} was linked`);
    goTo(returnTo);
  };

  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const { search } = window.location;
    const attempt = takeAttempt();
    // The code has been used, and shouldn't stay in the URL.
    window.history.replaceState(window.history.state, '', paths.signInCallback);
    if (!attempt) setNotBegun(true);
    else void (attempt.purpose === 'link' ? link(attempt, search) : signIn(attempt, search));
  });

  if (step && user) return <Navigate to={step.returnTo} replace />;
  if (step) return <SecondFactorCard step={step.of} onCancel={() => goTo(step.returnTo)} />;
  if (isNotBegun) {
    return (
      <BareCard title="Sign in again" foot={<Anchor href={paths.home}>Back to login</Anchor>}>
        <Text role="alert" ta="center">
          {notBegun}
        </Text>
      </BareCard>
    );
  }
  return (
    <BareCard title="Signing you in" foot={null}>
      <Text role="status" ta="center" c="dimmed">
        Loading...
      </Text>
    </BareCard>
  );
}
