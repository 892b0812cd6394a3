import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { Anchor, Badge, Box, Group, Text } from '@mantine/core';
import { IconCheck, IconChevronRight, IconCircleDashed, IconLoader2 } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { exactTime, listDate, resumeLabel, roleName } from '../../../lib/formats.ts';
import { unknowns } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { sessionKinds } from '../session-kinds.ts';
import type { SessionItem } from '../session-types.ts';
import { useSeesParticipant } from '../use-sees-participant.ts';
import classes from './session-list.module.css';

/** The status of a session, in words. */
interface SessionStatus {
  tone: 'pending' | 'partial' | 'complete';
  text: string;
}

/** '2 being transcribed' while answers are processed; then whether every question has one. */
function sessionStatus({
  pendingCount,
  answeredCount,
  questionCount,
}: Pick<SessionItem, 'pendingCount' | 'answeredCount' | 'questionCount'>): SessionStatus {
  if (pendingCount > 0) return { tone: 'pending', text: `${pendingCount} being transcribed` };
  if (answeredCount === 0) return { tone: 'partial', text: 'Not answered' };
  if (answeredCount < questionCount) return { tone: 'partial', text: 'Incomplete' };
  return { tone: 'complete', text: 'Complete' };
}

interface SessionRowProps {
  kind: SessionKind;
  item: SessionItem;
  /** Whether to leave out what the group's heading says. */
  groupedBy?: 'email' | 'technology' | undefined;
}

const stateIcons: Record<SessionStatus['tone'], typeof IconCheck> = {
  pending: IconLoader2,
  partial: IconCircleDashed,
  complete: IconCheck,
};

function Average({ value }: { value: number | null | undefined }) {
  if (value === null || value === undefined)
    return (
      <Box component="span" c="dimmed">
        Not scored
      </Box>
    );
  const percentage = Math.round(value);
  return (
    <span className={classes.average}>
      <span className={classes.bar} aria-hidden>
        <span className={classes.barFill} style={{ width: `${percentage}%` }} />
      </span>
      {percentage}%
    </span>
  );
}

/** A session as a row (on a phone, a card) that links to its detail. */
export function SessionRow({ kind, item, groupedBy }: SessionRowProps) {
  const { detailPath } = sessionKinds[kind];
  const { userDetails, answeredCount, questionCount } = item;
  const state = sessionStatus(item);
  const userId = useAppSelector(selectUser)?.id;
  const seesParticipant = useSeesParticipant(userDetails);
  const StateIcon = stateIcons[state.tone];
  return (
    <li className={classes.item}>
      <Link to={detailPath(item._id)} className={classes.row} data-kind={kind}>
        <span className={classes.what}>
          <Text span size="md" fw={600} lh={1.35}>
            {item.title || item.technology}
          </Text>
          {item.sources && (
            <Text span c="dimmed" size="xs">
              From {[...new Set(item.sources.map(({ title }) => title))].join(', ')}
            </Text>
          )}
          <Group component="span" gap="4px 8px" c="dimmed" fz="xs">
            {groupedBy !== 'technology' && (
              <Badge variant="light" radius="sm" tt="none" fw={550} flex="none">
                {item.technology}
              </Badge>
            )}
            {seesParticipant && (
              <span>
                {groupedBy !== 'email' && `${userDetails?.email?.trim() || unknowns.email} · `}
                {roleName(userDetails?.role)}
              </span>
            )}
          </Group>
        </span>
        <time className={classes.when} dateTime={item.createdAt} title={exactTime(item.createdAt)}>
          {listDate(item.createdAt)}
        </time>
        <span className={classes.answered}>
          {answeredCount} of {questionCount}
          <span className={classes.unit}> answered</span>
        </span>
        {kind === 'interview' && (
          <span className={classes.averageCell}>
            <span className={classes.unit}>Average </span>
            <Average value={item.averageCorrectness} />
            {(item.reviewedCount ?? 0) > 0 && (
              <Box component="span" display="block" c="dimmed" fz="xs" title="Scores that a person gave">
                {item.reviewedCount} reviewed
              </Box>
            )}
            {(item.editedCount ?? 0) > 0 && (
              <Box
                component="span"
                display="block"
                c="dimmed"
                fz="xs"
                title="Scores that depend on edited words. No reviewer has confirmed them."
              >
                {item.editedCount} edited
              </Box>
            )}
          </span>
        )}
        <span className={classes.state} data-tone={state.tone}>
          <StateIcon size={16} stroke={2} aria-hidden />
          {state.text}
        </span>
        <IconChevronRight size={18} stroke={1.5} aria-hidden className={classes.chevron} />
      </Link>
      {item.interviewSetId && item.userId === userId && answeredCount < questionCount && (
        <Anchor
          component={Link}
          to={paths.interview(item.interviewSetId, { continue: item._id })}
          size="sm"
          className={classes.continue ?? ''}
        >
          {resumeLabel(answeredCount, questionCount)}
        </Anchor>
      )}
    </li>
  );
}

/** The column headings; on a phone each card has its own labels. */
export function SessionColumns({ kind }: { kind: SessionKind }) {
  return (
    <Text component="div" size="xs" className={classes.columns ?? ''} data-kind={kind} aria-hidden>
      <span>{kind === 'interview' ? 'Interview' : 'Practice session'}</span>
      <span>Date</span>
      <span>Answered</span>
      {kind === 'interview' && <span>Average</span>}
      <span>Status</span>
    </Text>
  );
}
