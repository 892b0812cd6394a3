import type { AssignedSet, Assignment } from '@interview-prep/contracts/recording/assignments';
import { termNames } from '@interview-prep/contracts/recording/term-names';
import { Badge, Button, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useListAssignmentsQuery } from '../lib/api/assignments-api.ts';
import { countOf, resumeLabel, timeAgo } from '../lib/formats.ts';
import { paths } from '../lib/paths.ts';
import classes from './now-cards.module.css';
import { DetailDate, TimeAgo } from './times.tsx';

/** A rough estimate for one answer, including time to think. */
const minutesPerQuestion = 2;

/** How long the home page mentions a coach's changes. */
const changeShownMs = 7 * 24 * 60 * 60_000;

/** One set of an assignment, with the progress and the next step. */
function WorkLine({ work, set, now }: { work: Assignment; set: AssignedSet; now: number }) {
  const { id, takes, opensAt, dueAt, closesLate } = work;
  const { takesUsed = 0, newest = null } = work.own?.find(({ setId }) => setId === set.setId) ?? {};
  const isBegun = newest !== null && newest.answered < newest.questionCount;
  const isOpen = Date.parse(opensAt) <= now && !(closesLate && dueAt !== null && Date.parse(dueAt) < now);
  const isLeft = takes === null || takesUsed < takes;
  const part = { assignment: id };
  const isInterview = set.kind === 'interview';
  const path =
    isBegun && isInterview
      ? paths.interview(set.setId, { continue: newest.interviewId })
      : isInterview
        ? paths.interview(set.setId, part)
        : paths.practiceSession(set.setId, part);
  const label = isBegun ? resumeLabel(newest.answered, newest.questionCount) : takesUsed > 0 ? 'Take again' : 'Start';
  const facts = [
    `${countOf(set.questionCount, 'question')}, about ${set.questionCount * minutesPerQuestion} min`,
    newest && !isBegun && 'Done',
    takes !== null && `${takesUsed} of ${countOf(takes, 'take')} used`,
  ].filter(Boolean);
  return (
    <li>
      <Text fw={550}>{set.title}</Text>
      <Text size="sm" c="dimmed">
        {facts.join(' · ')}
      </Text>
      {isOpen && (isBegun || isLeft) && (
        <Button
          component={Link}
          to={path}
          size="xs"
          mt={6}
          variant={takesUsed > 0 && !isBegun ? 'default' : 'filled'}
          aria-label={`${label}: ${set.title}`}
        >
          {label}
        </Button>
      )}
    </li>
  );
}

interface AssignedWorkProps {
  now: number;
  groupId?: string;
  /** The assignment to list first, done or not: the member opened a link to it. */
  firstId?: string | null;
}

/** Work that coaches have assigned, in all groups or one; renders nothing without work. Completed work stays until it is due. */
export function AssignedWork({ now, groupId, firstId = null }: AssignedWorkProps) {
  const { data = [] } = useListAssignmentsQuery(
    {},
    { refetchOnMountOrArgChange: true, pollingInterval: 60_000, skipPollingIfUnfocused: true },
  );
  const isDone = ({ own = [] }: Assignment) =>
    own.every(({ newest }) => newest !== null && newest.answered >= newest.questionCount);
  const ofGroup = data.filter((work) => groupId === undefined || work.groupId === groupId);
  const shown = ofGroup
    .filter((work) => work.id === firstId || !isDone(work) || (work.dueAt !== null && Date.parse(work.dueAt) > now))
    .toSorted((one, other) => Number(other.id === firstId) - Number(one.id === firstId));
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="assigned-work">
      <Title order={2} size="h3" mb="sm" id="assigned-work">
        Assigned to you
      </Title>
      <div className={classes.cards}>
        {shown.map((work) => {
          const isLate = work.dueAt !== null && Date.parse(work.dueAt) < now && !isDone(work);
          const isAhead = Date.parse(work.opensAt) > now;
          return (
            <section key={work.id} className={classes.card} data-wide aria-label={work.title}>
              <Title order={3} size="h4">
                {work.title}{' '}
                {isLate && (
                  <Badge color="orange" variant="light" tt="none">
                    Late
                  </Badge>
                )}
              </Title>
              <Text size="sm">
                {isAhead ? (
                  <>
                    Opens <DetailDate at={work.opensAt} />
                  </>
                ) : work.dueAt === null ? (
                  'No due date'
                ) : (
                  <>
                    {isLate ? 'Was due' : 'Due'} <DetailDate at={work.dueAt} /> ({timeAgo(work.dueAt, now)})
                  </>
                )}
                {work.minimumScore !== null && ` · Wanted: ${work.minimumScore}% or more`}
              </Text>
              {work.changed && now - Date.parse(work.changed.at) < changeShownMs && (
                <Text component="div" size="sm">
                  <Badge variant="light" tt="none" mr={6}>
                    Changed
                  </Badge>
                  {new Intl.ListFormat('en').format(work.changed.terms.map((term) => termNames[term]))},{' '}
                  <TimeAgo at={work.changed.at} now={now} />
                </Text>
              )}
              <ul className={classes.cutOff}>
                {work.sets.map((set) => (
                  <WorkLine key={set.setId} work={work} set={set} now={now} />
                ))}
              </ul>
              <Text size="xs" c="dimmed">
                The coaches of your group see your answers to this, not what you practice for yourself.
              </Text>
            </section>
          );
        })}
      </div>
    </section>
  );
}
