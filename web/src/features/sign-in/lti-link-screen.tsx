import { Button, Group, Stack, Text } from '@mantine/core';
import { IconLink, IconLinkOff } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { NoLaunch } from '../../components/no-launch.tsx';
import { Notice } from '../../components/notice.tsx';
import { Screen } from '../../components/screen.tsx';
import { errorMessage } from '../../lib/api/api-error.ts';
import { followLaunch, waitingLaunch } from '../../lib/lti-launch.ts';
import { paths } from '../../lib/paths.ts';
import { selectUser, signedOut } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/state-hooks.ts';
import { toast } from '../../lib/toasts.ts';
import { useLinkLtiMutation } from './sign-in-api.ts';

/** Links a launch's platform account to the user who has just signed in, and continues the launch. */
export default function LtiLinkScreen() {
  const [launch] = useState(waitingLaunch);
  const [link, { isLoading, error }] = useLinkLtiMutation();
  const email = useAppSelector(selectUser)?.email;
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const title = 'Link your course';
  if (launch === null || launch.place !== null) {
    return (
      <Screen title={title}>
        <Notice
          icon={<IconLinkOff size={32} stroke={1.5} />}
          title="There is nothing to link"
          action={
            <Button component={Link} to={paths.home} variant="default">
              Go to the home page
            </Button>
          }
        >
          <NoLaunch />
        </Notice>
      </Screen>
    );
  }
  const confirm = async () => {
    const { data } = await link({ attempt: launch.attempt });
    if (!data) return;
    toast.success('Your course is linked');
    const { groupId } = data.place;
    void navigate(followLaunch(launch.attempt, data.place) ?? paths.group(groupId), { replace: true });
  };
  return (
    <Screen title={title} width="form">
      <Stack>
        <Text>
          You are signed in as <strong>{email}</strong>. Once it is linked, opening an activity in your course signs you
          in to this account, and your scores go to the course.
        </Text>
        {error && (
          <Notice alert title={errorMessage(error, 'Failed to link the course')}>
            Nothing has changed. You can open the activity again in your course.
          </Notice>
        )}
        <Group>
          <Button leftSection={<IconLink size={16} aria-hidden />} loading={isLoading} onClick={() => void confirm()}>
            Link and continue
          </Button>
          <Button variant="default" disabled={isLoading} onClick={() => dispatch(signedOut())}>
            Use another account
          </Button>
        </Group>
      </Stack>
    </Screen>
  );
}
