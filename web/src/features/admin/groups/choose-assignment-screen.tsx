import type { LtiPlace } from '@interview-prep/contracts/auth/lti';
import type { Assignment } from '@interview-prep/contracts/recording/assignments';
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconCheck, IconClipboardList, IconPlus, IconSchool } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import bordered from '../../../components/bordered-list.module.css';
import { failureOf, LoadFailure } from '../../../components/load-failure.tsx';
import { NoLaunch } from '../../../components/no-launch.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Screen } from '../../../components/screen.tsx';
import { DueDate } from '../../../components/times.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { useListAssignmentsQuery } from '../../../lib/api/assignments-api.ts';
import { useGetGroupQuery } from '../../../lib/api/groups-api.ts';
import { routeUrl } from '../../../lib/api/route-request.ts';
import { followLaunch, waitingLaunch } from '../../../lib/lti-launch.ts';
import { paths } from '../../../lib/paths.ts';
import { toast } from '../../../lib/toasts.ts';
import { ListSkeleton } from '../list-skeleton.tsx';
import rows from '../row-list.module.css';
import { AssignmentDialog } from './assignment-dialog.tsx';
import { useChooseContentMutation } from './courses-api.ts';
import classes from './group-screen.module.css';

const title = 'Choose an assignment';

/** Returns the choice to the platform: the server's page posts it, signed, from this window. */
function ReturnForm({ attempt }: { attempt: string }) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.submit(), []);
  return (
    <form ref={form} method="post" action={routeUrl('returnLtiContent')}>
      <input type="hidden" name="attempt" value={attempt} />
      <Text role="status">Going back to your course…</Text>
    </form>
  );
}

function Choice({ launch: { attempt, place } }: { launch: { attempt: string; place: LtiPlace } }) {
  const { groupId, courseTitle, returnedBy } = place;
  const query = useListAssignmentsQuery({ groupId }, { refetchOnMountOrArgChange: true });
  const group = useGetGroupQuery({ id: groupId }, { refetchOnMountOrArgChange: true });
  const [choose, { isLoading, originalArgs }] = useChooseContentMutation();
  const [assigning, setAssigning] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const navigate = useNavigate();
  const { data } = query;
  const failure = failureOf([query, 'Failed to fetch assigned work'], [group, 'Failed to fetch the group']);

  const take = async ({ id, title: name }: Assignment) => {
    const answer = await choose({ attempt, assignmentId: id, title: name });
    if (!answer.data) return toast.error(errorMessage(answer.error, 'Failed to choose the assignment'));
    const path = followLaunch(attempt, answer.data);
    if (answer.data.returnedBy !== null) return setChosen(name);
    toast.success(`The activity opens “${name}” from now on`);
    if (path !== null) void navigate(path, { replace: true });
  };
  if (chosen !== null) {
    return returnedBy === 'window' ? (
      <ReturnForm attempt={attempt} />
    ) : (
      <Notice icon={<IconCheck size={32} stroke={1.5} />} title={`You chose “${chosen}”`}>
        <span role="status">The page of your course goes on by itself. You can close this window.</span>
      </Notice>
    );
  }
  const newButton = (
    <Button
      variant={data?.length === 0 ? 'filled' : 'default'}
      leftSection={<IconPlus size={16} aria-hidden />}
      disabled={!group.data}
      onClick={() => setAssigning(true)}
    >
      Assign work
    </Button>
  );
  return (
    <Stack>
      <Text>
        {returnedBy === null
          ? `This activity of “${courseTitle}” does not open an assignment yet. Choose the one that it opens from now on.`
          : `Choose what the new activity of “${courseTitle}” opens.`}{' '}
        Students who open it land there, and their best scores go back to the course.
      </Text>
      {failure && <LoadFailure {...failure} />}
      {!data && !failure && <ListSkeleton label="Loading assignments…" />}
      {data?.length === 0 && (
        <Notice icon={<IconClipboardList size={32} stroke={1.5} />} title="Nothing assigned yet" action={newButton}>
          Assign work to the group of this course, then choose it here.
        </Notice>
      )}
      {data && data.length > 0 && (
        <>
          <ul className={bordered.list} aria-label="Assignments">
            {data.map((assignment) => (
              <li key={assignment.id} className={`${rows.row} ${classes.row}`}>
                <div className={classes.who}>
                  <Text fw={550}>{assignment.title}</Text>
                  <Text size="sm" c="dimmed">
                    {assignment.sets.map((set) => set.title).join(', ')} · <DueDate at={assignment.dueAt} />
                  </Text>
                </div>
                <Button
                  size="xs"
                  disabled={isLoading}
                  loading={isLoading && originalArgs?.assignmentId === assignment.id}
                  aria-label={`Choose: ${assignment.title}`}
                  onClick={() => void take(assignment)}
                >
                  Choose
                </Button>
              </li>
            ))}
          </ul>
          <div>{newButton}</div>
        </>
      )}
      <Anchor component={Link} to={paths.group(groupId)} size="sm">
        Go to the group without choosing
      </Anchor>
      {assigning && group.data && <AssignmentDialog group={group.data} onClose={() => setAssigning(false)} />}
    </Stack>
  );
}

/** Lets a coach who launched an activity without an assignment choose one of the course's group. */
export default function ChooseAssignmentScreen() {
  const [launch] = useState(waitingLaunch);
  return (
    <Screen title={title}>
      {launch?.place ? (
        <Choice launch={{ attempt: launch.attempt, place: launch.place }} />
      ) : (
        <Notice
          icon={<IconSchool size={32} stroke={1.5} />}
          title="No activity is waiting for an assignment"
          action={
            <Button component={Link} to={paths.groups} variant="default">
              Go to my groups
            </Button>
          }
        >
          <NoLaunch />
        </Notice>
      )}
    </Screen>
  );
}
