import type { LtiCourse, LtiMemberUpdate } from '@interview-prep/contracts/auth/lti';
import { Badge, Button, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import bordered from '../../../components/bordered-list.module.css';
import { failureOf, PartFailure } from '../../../components/load-failure.tsx';
import { TimeAgo } from '../../../components/times.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { countOf } from '../../../lib/formats.ts';
import { toast } from '../../../lib/toasts.ts';
import rows from '../row-list.module.css';
import { CourseScores } from './course-scores.tsx';
import { useCoursesQuery, useUpdateCourseMembersMutation } from './courses-api.ts';
import classes from './group-screen.module.css';

/** Polling interval while an update is running. */
const pollMs = 2000;

const isRunning = ({ memberUpdate }: LtiCourse) => memberUpdate !== null && memberUpdate.endedAt === null;

/** The outcome of the last update of the members. */
function UpdateOutcome({ update }: { update: LtiMemberUpdate }) {
  const { startedAt, endedAt, added, known, skipped, fault } = update;
  if (endedAt === null) return <Text size="sm">Updating members…</Text>;
  return (
    <>
      <Text size="sm" c="dimmed">
        Members updated <TimeAgo at={startedAt} />
        {fault === null && ` · ${added} added, ${known} already here`}
      </Text>
      {fault !== null && (
        <Text size="sm" role="alert">
          {fault}
        </Text>
      )}
      {skipped.length > 0 && (
        <Text component="details" size="sm">
          <summary>{countOf(skipped.length, 'person', 'people')} not added</summary>
          <ul>
            {skipped.map(({ who, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two people may have one name, and the list never changes
              <li key={index}>
                {who}: {reason}
              </li>
            ))}
          </ul>
        </Text>
      )}
    </>
  );
}

function CourseRow({ course, onScores }: { course: LtiCourse; onScores: () => void }) {
  const { id, title, platformName, tellsMembers, memberUpdate, linkCount, failedScores } = course;
  const [update, { isLoading }] = useUpdateCourseMembersMutation();
  const begin = async () => {
    const { error } = await update({ id });
    if (error) toast.error(errorMessage(error, 'Failed to update the members'));
  };
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={classes.who}>
        <Text component="div" fw={550}>
          {title}{' '}
          {failedScores > 0 && (
            <Badge color="orange" variant="light" tt="none">
              {countOf(failedScores, 'score')} not delivered
            </Badge>
          )}
        </Text>
        <Text size="sm" c="dimmed">
          {platformName} · {linkCount === 0 ? 'No activities yet' : countOf(linkCount, 'activity', 'activities')}
        </Text>
        {memberUpdate && <UpdateOutcome update={memberUpdate} />}
      </div>
      {tellsMembers && (
        <Button
          size="xs"
          variant="default"
          loading={isLoading || isRunning(course)}
          aria-label={`Update members from ${title}`}
          onClick={() => void begin()}
        >
          Update members
        </Button>
      )}
      <Button size="xs" variant="default" aria-label={`Scores sent to ${title}`} onClick={onScores}>
        Scores
      </Button>
    </li>
  );
}

/** The group's linked courses, with their members and the scores sent back; hidden if there are none. */
export function CoursesSection({ groupId, onMembers }: { groupId: string; onMembers: () => unknown }) {
  const [polls, setPolls] = useState(false);
  const query = useCoursesQuery(undefined, {
    refetchOnMountOrArgChange: true,
    pollingInterval: polls ? pollMs : 0,
  });
  const [shownId, setShownId] = useState<string | null>(null);
  const courses = query.data?.filter(({ group }) => group.id === groupId) ?? [];
  const runs = courses.some(isRunning);
  if (runs !== polls) setPolls(runs);
  // The update may have finished before the first poll: compare its time instead of waiting to see it running.
  const ended = query.data && courses.map(({ memberUpdate }) => memberUpdate?.endedAt).join();
  const shownEnd = useRef(ended);
  useEffect(() => {
    if (shownEnd.current !== undefined && shownEnd.current !== ended) onMembers();
    shownEnd.current = ended;
  }, [ended, onMembers]);
  const failure = failureOf([query, 'Failed to fetch the courses']);
  const shown = courses.find(({ id }) => id === shownId);
  if (courses.length === 0 && !failure) return null;
  return (
    <Stack component="section" gap="sm" aria-labelledby="courses">
      <Title order={2} size="h3" id="courses">
        Courses
      </Title>
      {failure && <PartFailure {...failure} />}
      {courses.length > 0 && (
        <ul className={bordered.list} aria-label="Courses">
          {courses.map((course) => (
            <CourseRow key={course.id} course={course} onScores={() => setShownId(course.id)} />
          ))}
        </ul>
      )}
      {shown && <CourseScores course={shown} onClose={() => setShownId(null)} />}
    </Stack>
  );
}
