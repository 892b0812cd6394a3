import type { GroupDetail } from '@interview-prep/contracts/auth/groups';
import type { Assignment } from '@interview-prep/contracts/recording/assignments';
import { Anchor, Button, Group as Row, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router-dom';
import { type failureOf, LoadFailure, PartFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Screen } from '../../../components/screen.tsx';
import { isNotFound } from '../../../lib/api/api-error.ts';
import { useListAssignmentsQuery } from '../../../lib/api/assignments-api.ts';
import { useGetGroupQuery } from '../../../lib/api/groups-api.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { paths } from '../../../lib/paths.ts';
import table from '../card-table.module.css';
import { ListSkeleton } from '../list-skeleton.tsx';
import { NotInGroup } from './not-in-group.tsx';

/** Polls for people who join; the server responds with 304 if no one has. */
const pollMs = 15_000;

/** The assignment named in the URL, and its group; undefined until both have loaded. */
export function useAssignment() {
  const { id = '', assignmentId = '' } = useParams();
  const groupQuery = useGetGroupQuery({ id }, { pollingInterval: pollMs, refetchOnMountOrArgChange: true });
  const assignments = useListAssignmentsQuery({ groupId: id }, { refetchOnMountOrArgChange: true });
  const group: GroupDetail | undefined = groupQuery.data;
  const assignment: Assignment | undefined = assignments.data?.find((one) => one.id === assignmentId);
  usePageTitle(assignment && group && `${assignment.title} · ${group.name}`);
  const loads = [
    [groupQuery, 'Failed to fetch the group'],
    [assignments, 'Failed to fetch assigned work'],
  ] as const;
  return { groupId: id, assignmentId, groupQuery, assignments, group, assignment, loads };
}

interface NoAssignmentProps extends ReturnType<typeof useAssignment> {
  failure: ReturnType<typeof failureOf>;
  /** The loading text for screen readers. */
  loading: string;
}

/** Replaces an assignment screen until the assignment has loaded. */
export function NoAssignment({ groupId, groupQuery, assignments, assignment, failure, loading }: NoAssignmentProps) {
  const isGroupMissing = isNotFound(groupQuery.error);
  const isMissing = isGroupMissing || (assignments.data !== undefined && !assignment);
  return (
    <Screen title={isMissing && (isGroupMissing ? 'Group not found' : 'Assignment not found')}>
      {isGroupMissing ? (
        <NotInGroup />
      ) : failure ? (
        <LoadFailure {...failure} />
      ) : isMissing ? (
        <Notice
          title="It may have been deleted"
          action={
            <Button component={Link} to={paths.group(groupId)} variant="default">
              Back to the group
            </Button>
          }
        />
      ) : (
        <ListSkeleton label={loading} />
      )}
    </Screen>
  );
}

const tabs = { Roster: paths.roster, Questions: paths.rosterQuestions, Report: paths.rosterReport };

interface AssignmentScreenProps {
  group: GroupDetail;
  assignment: Assignment;
  shown: keyof typeof tabs;
  /** The subtitle's text before and after the group's name. */
  before?: string;
  about: ReactNode;
  actions?: ReactNode;
  failure: ReturnType<typeof failureOf>;
  children: ReactNode;
}

/** The layout of the assignment screens, with tabs between them. */
export function AssignmentScreen(props: AssignmentScreenProps) {
  const { group, assignment, shown, before, about, actions, failure, children } = props;
  return (
    <Screen
      title={assignment.title}
      lead={
        <>
          {before}
          <Anchor component={Link} to={paths.group(group.id)} inherit underline="always">
            {group.name}
          </Anchor>{' '}
          · {about}
        </>
      }
      actions={actions}
    >
      <Stack gap="md">
        <Row component="nav" gap="xs" aria-label="Assignment">
          {Object.entries(tabs).map(([name, pathOf]) => (
            <Button
              key={name}
              component={Link}
              to={pathOf(group.id, assignment.id)}
              size="compact-md"
              variant={name === shown ? 'light' : 'subtle'}
              aria-current={name === shown ? 'page' : undefined}
            >
              {name}
            </Button>
          ))}
        </Row>
        {failure && <PartFailure {...failure} />}
        {children}
      </Stack>
    </Screen>
  );
}

/** A table cell with its column's label, for phones, where the header is hidden. */
export function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Table.Td className="tabular">
      <Text span size="xs" c="dimmed" className={table.label ?? ''}>
        {label}{' '}
      </Text>
      {children}
    </Table.Td>
  );
}

/** '73%', '–' for none. */
export function percent(score: number | null | undefined): string {
  return score === null || score === undefined ? '–' : `${score}%`;
}

/** A change in score: '+12', '-3'; '–' for none. */
export function signed(change: number | null): string {
  return change === null ? '–' : `${change > 0 ? '+' : ''}${change}`;
}
