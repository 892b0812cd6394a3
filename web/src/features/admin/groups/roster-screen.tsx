import {
  Anchor,
  Badge,
  Button,
  Checkbox,
  Group as Row,
  SegmentedControl,
  Table,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { ListToolbar, Pager, searched, useListPage } from '../../../components/list-page.tsx';
import { failureOf } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { DueDate, TimeAgo } from '../../../components/times.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import {
  useDeleteAssignmentMutation,
  useReleaseFeedbackMutation,
  useRosterQuery,
} from '../../../lib/api/assignments-api.ts';
import { countOf, spokenTime } from '../../../lib/formats.ts';
import { paths, sessionPath } from '../../../lib/paths.ts';
import { toast } from '../../../lib/toasts.ts';
import { useAddressFields } from '../../../lib/use-address-fields.ts';
import table from '../card-table.module.css';
import { NoMatch } from '../list-skeleton.tsx';
import { AssignmentDialog, feedbackNames } from './assignment-dialog.tsx';
import { RosterActions } from './roster-actions.tsx';
import {
  changeOf,
  nameOf,
  type RosterMember,
  rosterOf,
  rosterStates,
  type SortKey,
  sortRoster,
  stateNames,
} from './roster-rows.ts';
import { AssignmentScreen, Cell, NoAssignment, percent, signed, useAssignment } from './use-assignment.tsx';

const pageSize = 200;
/** Polls for members' progress and for verdicts; the server responds with 304 while nothing has changed. */
const pollMs = 4000;

const columns: readonly (readonly [key: SortKey, label: string])[] = [
  ['name', 'Member'],
  ['state', 'State'],
  ['takes', 'Takes'],
  ['best', 'Best'],
  ['latest', 'Latest'],
  ['change', 'Change'],
  ['spoken', 'Time spoken'],
  ['last', 'Last activity'],
];
const textOf = (member: RosterMember) => `${nameOf(member)} ${member.person.email}`;

interface MemberRowProps {
  member: RosterMember;
  minimum: number | null;
  selected: boolean;
  onSelect: (selected: boolean) => void;
}

function MemberRow({ member, minimum, selected, onSelect }: MemberRowProps) {
  const { state, row, person, dueAt, extended } = member;
  const { label, color } = stateNames[state];
  const best = row?.best ?? null;
  const isBelow = minimum !== null && best !== null && best < minimum;
  const path = row && sessionPath(row.newest.kind, row.newest.id);
  return (
    <Table.Tr>
      <Table.Td className={table.select ?? ''}>
        <Checkbox
          size="sm"
          aria-label={`Select ${nameOf(member)}`}
          checked={selected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td className={table.title ?? ''}>
        {path ? (
          <Anchor component={Link} to={path} fw={550}>
            {nameOf(member)}
          </Anchor>
        ) : (
          <Text fw={550}>{nameOf(member)}</Text>
        )}
        {person.name && (
          <Text size="xs" c="dimmed">
            {person.email}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Badge variant="light" color={color} tt="none" fw={500} miw="max-content">
          {label}
        </Badge>
        {extended && (
          <Text size="xs" c="dimmed">
            <DueDate at={dueAt} />
          </Text>
        )}
      </Table.Td>
      <Cell label="Takes">
        {row?.takes ?? 0}
        {row !== undefined && row.reviewedCount > 0 && (
          <Text size="xs" c="dimmed" title="Scored by a person">
            {countOf(row.reviewedCount, 'answer')} reviewed
          </Text>
        )}
      </Cell>
      <Cell label="Best">
        {percent(best)}
        {isBelow && (
          <Text span size="xs" c="var(--mantine-color-error)">
            {' '}
            below {minimum}%
          </Text>
        )}
      </Cell>
      <Cell label="Latest">{row && row.pendingCount > 0 ? 'Scoring…' : percent(row?.latest)}</Cell>
      <Cell label="Change">{signed(row ? changeOf(row) : null)}</Cell>
      <Cell label="Spoken">{row ? spokenTime(row.spokenMs) : '–'}</Cell>
      <Cell label="Last activity">{row ? <TimeAgo at={row.lastAt} /> : '–'}</Cell>
    </Table.Tr>
  );
}

/** A group's progress and results on an assignment; refreshes while it is open. */
export default function RosterScreen() {
  const subject = useAssignment();
  const { groupId: id, assignmentId, group, assignment } = subject;
  const roster = useRosterQuery(
    { groupId: id, assignmentId },
    { pollingInterval: pollMs, refetchOnMountOrArgChange: true },
  );
  const [release, releasing] = useReleaseFeedbackMutation();
  const [remove, removing] = useDeleteAssignmentMutation();
  const [dialog, setDialog] = useState<'edit' | 'delete' | 'release' | null>(null);
  const [sort, setSort] = useState<{ key: SortKey; descending: boolean }>({ key: 'name', descending: false });
  const [fields, change] = useAddressFields();
  const navigate = useNavigate();
  const shownState = rosterStates.find((state) => state === fields.get('state'));
  const all = group && assignment && roster.data ? rosterOf(group.people, roster.data, assignment, Date.now()) : [];
  const filtered = shownState ? all.filter(({ state }) => state === shownState) : all;
  const sorted = sortRoster(filtered, sort.key, sort.descending);
  const list = useListPage(sorted, textOf, pageSize);
  const found = searched(sorted, list.query, textOf);
  const [selectedIds, setSelectedIds] = useState<readonly string[]>([]);
  // Never change members hidden by a filter or the search.
  const selected = found.filter(({ person }) => selectedIds.includes(person.userId));
  const failure = failureOf(...subject.loads, [roster, 'Failed to fetch the roster']);
  if (!group || !assignment || !roster.data)
    return <NoAssignment {...subject} failure={failure} loading="Loading the roster…" />;

  const isHeld = assignment.feedback !== 'at-once' && assignment.releasedAt === null;
  const close = () => setDialog(null);
  const confirmRelease = async () => {
    const { error } = await release({ id: assignmentId });
    if (error) toast.error(errorMessage(error, 'Failed to release the feedback'));
    else toast.success('Feedback released');
    close();
  };
  const confirmDelete = async () => {
    const { error } = await remove({ id: assignmentId });
    if (error) return toast.error(errorMessage(error, 'Failed to delete the assignment'));
    toast.success(`“${assignment.title}” deleted`);
    void navigate(paths.group(id));
  };
  const sortBy = (key: SortKey) =>
    setSort({ key, descending: sort.key === key ? !sort.descending : key !== 'name' && key !== 'state' });

  return (
    <>
      <AssignmentScreen
        {...{ group, assignment, failure }}
        shown="Roster"
        about={
          <>
            {assignment.sets.map(({ title }) => title).join(', ')} · <DueDate at={assignment.dueAt} /> · Feedback:{' '}
            {assignment.releasedAt ? 'released' : feedbackNames[assignment.feedback].toLowerCase()}
          </>
        }
        actions={
          <Row gap="xs">
            {isHeld && <Button onClick={() => setDialog('release')}>Release feedback</Button>}
            <Button variant="default" component={Link} to={`${paths.appeals}#group=${id}&assignment=${assignmentId}`}>
              Review
            </Button>
            <Button variant="default" onClick={() => setDialog('edit')}>
              Edit
            </Button>
            <Button variant="light" color="red" onClick={() => setDialog('delete')}>
              Delete
            </Button>
          </Row>
        }
      >
        <div className={table.filter}>
          <SegmentedControl
            size="xs"
            aria-label="State"
            value={shownState ?? 'all'}
            onChange={(chosen) => change({ page: '', state: chosen === 'all' ? '' : chosen })}
            data={[
              { value: 'all', label: `All ${all.length}` },
              ...rosterStates.map((state) => ({
                value: state,
                label: `${stateNames[state].label} ${all.filter((one) => one.state === state).length}`,
              })),
            ]}
          />
        </div>
        <ListToolbar list={list} nouns={['member', 'members']} />
        {list.total === 0 && (
          <Notice
            icon={<IconUsers size={32} stroke={1.5} />}
            title={all.length === 0 ? 'No members yet' : 'Nobody here'}
          />
        )}
        {list.total > 0 && list.found === 0 && <NoMatch list={list} says="Nobody matches" />}
        {list.found > 0 && (
          <RosterActions
            group={group}
            assignment={assignment}
            shown={found}
            selected={selected}
            onSelect={setSelectedIds}
          />
        )}
        {list.found > 0 && (
          <Table className={table.table ?? ''} verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th className={table.select ?? ''}>
                  <VisuallyHidden>Selected</VisuallyHidden>
                </Table.Th>
                {columns.map(([key, label]) => (
                  <Table.Th
                    key={key}
                    aria-sort={sort.key === key ? (sort.descending ? 'descending' : 'ascending') : 'none'}
                  >
                    <UnstyledButton fw={700} fz="sm" onClick={() => sortBy(key)}>
                      {label}{' '}
                      {sort.key === key &&
                        (sort.descending ? (
                          <IconChevronDown size={14} aria-hidden />
                        ) : (
                          <IconChevronUp size={14} aria-hidden />
                        ))}
                    </UnstyledButton>
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.items.map((member) => (
                <MemberRow
                  key={member.person.userId}
                  member={member}
                  minimum={assignment.minimumScore}
                  selected={selectedIds.includes(member.person.userId)}
                  onSelect={(is) =>
                    setSelectedIds(
                      is
                        ? [...selectedIds, member.person.userId]
                        : selectedIds.filter((userId) => userId !== member.person.userId),
                    )
                  }
                />
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Pager {...list} />
      </AssignmentScreen>
      {dialog === 'edit' && <AssignmentDialog group={group} assignment={assignment} onClose={close} />}
      <ConfirmDialog
        opened={dialog === 'release'}
        title="Release the feedback?"
        confirmLabel="Release feedback"
        destructive={false}
        busy={releasing.isLoading}
        onConfirm={() => void confirmRelease()}
        onCancel={close}
      >
        Everyone who answered sees scores, points and expert answers. This cannot be undone.
      </ConfirmDialog>
      <ConfirmDialog
        opened={dialog === 'delete'}
        title={`Delete “${assignment.title}”?`}
        confirmLabel={`Delete “${assignment.title}”`}
        busy={removing.isLoading}
        onConfirm={() => void confirmDelete()}
        onCancel={close}
      >
        What members answered stays with them, with its feedback. You no longer see who has done it.
      </ConfirmDialog>
    </>
  );
}
