import type { LtiPlace } from '@interview-prep/contracts/auth/lti';
import type { SecondFactorStep } from '@interview-prep/contracts/auth/second-factor-step';
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { IconDoorOff } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { BareCard } from '../../components/bare-card.tsx';
import { NoLaunch } from '../../components/no-launch.tsx';
import type { ApiError } from '../../lib/api/api-error.ts';
import { awaitLink, followLaunch, takeLaunchAttempt } from '../../lib/lti-launch.ts';
import { paths } from '../../lib/paths.ts';
import { selectToken, selectUser, signedIn } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/state-hooks.ts';
import { toast } from '../../lib/toasts.ts';
import SecondFactorCard from './second-factor-card.tsx';
import { useFinishLtiLaunchMutation } from './sign-in-api.ts';

type State =
  | { is: 'opening' | 'not-begun' | 'account-exists' }
  /** `tokenBefore`: the token of the user who was signed in before the launch. */
  | { is: 'second-factor'; step: SecondFactorStep; attempt: string; place: LtiPlace; tokenBefore: string | null }
  | { is: 'nothing-chosen'; place: LtiPlace }
  | { is: 'failed'; attempt: string; error: ApiError };

/** Whether the launch is still unused on the server, so it can be retried. */
const canRetry = ({ status }: ApiError) => status === null || status === 429 || status >= 500;

/** The landing page of a launch from a learning platform: signs the user in, and goes on to the assignment, roster or choice. */
export default function LtiLaunchScreen() {
  const [finish, { isLoading }] = useFinishLtiLaunchMutation();
  const [state, setState] = useState<State>({ is: 'opening' });
  const token = useAppSelector(selectToken);
  const user = useAppSelector(selectUser);
  const dispatch = useAppDispatch();
  const navigate = useNavigate();

  const follow = (attempt: string, place: LtiPlace) => {
    const path = followLaunch(attempt, place);
    if (path === null) setState({ is: 'nothing-chosen', place });
    else void navigate(path, { replace: true });
  };
  const open = async (attempt: string) => {
    const { data, error } = await finish({ attempt });
    if (!data) {
      const refusal = error as ApiError;
      if (refusal.code !== 'account_exists') return setState({ is: 'failed', attempt, error: refusal });
      awaitLink(attempt);
      return setState({ is: 'account-exists' });
    }
    const { outcome, place } = data;
    if ('secondFactor' in outcome)
      return setState({ is: 'second-factor', step: outcome.secondFactor, attempt, place, tokenBefore: token });
    if (user && user.id !== outcome.id) toast.info(`You are now signed in as ${outcome.email}`);
    dispatch(signedIn(outcome));
    follow(attempt, place);
  };

  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const attempt = takeLaunchAttempt();
    if (attempt === null) setState({ is: 'not-begun' });
    else void open(attempt);
  });
  useEffect(() => {
    if (state.is === 'second-factor' && token !== null && token !== state.tokenBefore)
      follow(state.attempt, state.place);
  });

  if (state.is === 'second-factor')
    return <SecondFactorCard step={state.step} onCancel={() => setState({ is: 'not-begun' })} />;
  if (state.is === 'not-begun') {
    return (
      <BareCard title="Open it from your course" foot={<Anchor href={paths.home}>Go to the home page</Anchor>}>
        <Text ta="center">
          <NoLaunch />
        </Text>
      </BareCard>
    );
  }
  if (state.is === 'account-exists') {
    return (
      <BareCard title="You already have an account" foot={null}>
        <Stack>
          <Text>
            There is an account here with the email address that your course uses. Sign in to it once to link the two.
            After that, your course signs you in.
          </Text>
          <Button component={Link} to={paths.ltiLink} size="md" fullWidth>
            Continue
          </Button>
        </Stack>
      </BareCard>
    );
  }
  if (state.is === 'nothing-chosen') {
    const { courseTitle, groupId } = state.place;
    return (
      <BareCard title="Nothing to do here yet" foot={null}>
        <Stack>
          <Text role="status">
            Your teacher has not chosen an assignment for this activity of “{courseTitle}”. Open it again later, or see
            what else you were given to do.
          </Text>
          <Button component={Link} to={paths.group(groupId)} size="md" fullWidth>
            Go to “{courseTitle}”
          </Button>
        </Stack>
      </BareCard>
    );
  }
  if (state.is === 'failed') {
    const { attempt, error } = state;
    return (
      <BareCard title="The activity could not be opened" foot={null}>
        <Stack>
          <Alert role="alert" color="orange" icon={<IconDoorOff aria-hidden />} title={error.message} />
          {canRetry(error) ? (
            <>
              <Text>Nothing is lost. Wait a moment, check your connection and try again.</Text>
              <Button size="md" fullWidth loading={isLoading} onClick={() => void open(attempt)}>
                Try again
              </Button>
            </>
          ) : (
            <Text>
              Close this window, go back to your course and open the activity again. If this happens again, show this
              message to your teacher.
            </Text>
          )}
        </Stack>
      </BareCard>
    );
  }
  return (
    <BareCard title="Opening the activity" foot={null}>
      <Text role="status" ta="center" c="dimmed">
        Loading...
      </Text>
    </BareCard>
  );
}
