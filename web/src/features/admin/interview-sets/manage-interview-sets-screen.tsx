import { type InterviewSet, SetStatus } from '@interview-prep/contracts/catalog/sets';
import { Anchor, Badge, Button, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { IconListDetails, IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { failureOf } from '../../../components/failed-loads.ts';
import { ListToolbar } from '../../../components/list-toolbar.tsx';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Pager } from '../../../components/pager.tsx';
import { PartFailure } from '../../../components/part-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { useListPage } from '../../../components/use-list-page.ts';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { countOf } from '../../../lib/count-of.ts';
import { exactTime, timeAgo } from '../../../lib/formats.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import { toast } from '../../../lib/toasts.ts';
import { useAddressFields } from '../../../lib/use-address-fields.ts';
import classes from '../card-table.module.css';
import { ListSkeleton, NoMatch } from '../list-skeleton.tsx';
import { useChangeInterviewSetStatusMutation, useListManagedInterviewSetsQuery } from '../sets/managed-sets-api.ts';
import { statusNames } from '../sets/set-fields.tsx';
import { useDeletion, useInFlight } from '../use-deletion.tsx';
import { IconAction } from '../use-focus-back.tsx';
import { useDeleteInterviewSetMutation } from './interview-set-changes-api.ts';

const pageSize = 20;
const none: readonly InterviewSet[] = [];
const textOf = ({ title, technology, tags }: InterviewSet) => [title, technology, ...tags].join(' ');

/** What a row offers for each status, and what it leads to. */
const moves: Record<SetStatus, { label: string; to: SetStatus; done: string }> = {
  published: { label: 'Archive', to: 'archived', done: 'archived' },
  draft: { label: 'Publish', to: 'published', done: 'published' },
  archived: { label: 'Publish', to: 'published', done: 'published' },
};

interface SetRowProps {
  set: InterviewSet;
  busy: boolean;
  onMove: () => void;
  onDelete: () => void;
}

function SetRow({ set, busy, onMove, onDelete }: SetRowProps) {
  const { title, technology, questions, status, updatedAt, updatedBy, createdBy } = set;
  const { label } = moves[status];
  return (
    <Table.Tr>
      <Table.Td className={classes.title ?? ''}>
        <Anchor component={Link} to={paths.editSet(set._id)} fw={550}>
          {title}
        </Anchor>
      </Table.Td>
      <Table.Td>{technology}</Table.Td>
      <Table.Td className="tabular">{countOf(questions.length, 'question')}</Table.Td>
      <Table.Td>
        <Badge variant={status === 'published' ? 'light' : 'default'} tt="none" fw={500}>
          {statusNames[status]}
        </Badge>
      </Table.Td>
      <Table.Td className={classes.changed ?? ''}>
        <time title={exactTime(updatedAt)}>{timeAgo(updatedAt)}</time>
        <Text size="xs" c="dimmed" truncate>
          {(updatedBy ?? createdBy)?.email}
        </Text>
      </Table.Td>
      <Table.Td className={classes.actions ?? ''}>
        <Button variant="default" size="xs" disabled={busy} aria-label={`${label} ${title}`} onClick={onMove}>
          {label}
        </Button>
        <IconAction color="red" aria-label={`Delete ${title}`} disabled={busy} onClick={onDelete}>
          <IconTrash size={18} stroke={1.5} aria-hidden />
        </IconAction>
      </Table.Td>
    </Table.Tr>
  );
}

/** The filter by status, kept in the address. */
function useStatusFilter(sets: readonly InterviewSet[]) {
  const [params, change] = useAddressFields();
  const parsed = SetStatus.safeParse(params.get('status'));
  const status = parsed.success ? parsed.data : 'all';
  const countIn = (wanted: SetStatus) => sets.filter((set) => set.status === wanted).length;
  return {
    shown: status === 'all' ? sets : sets.filter((set) => set.status === status),
    control: (
      <SegmentedControl
        size="xs"
        aria-label="Status"
        value={status}
        onChange={(chosen) =>
          change((changed) => {
            changed.delete('page');
            if (chosen === 'all') changed.delete('status');
            else changed.set('status', chosen);
          })
        }
        data={[
          { value: 'all', label: `All ${sets.length}` },
          ...SetStatus.options.map((each) => ({ value: each, label: `${statusNames[each]} ${countIn(each)}` })),
        ]}
      />
    ),
  };
}

/** Every interview set in a table, with drafts and archived sets: for admins, who come to change them. */
export default function ManageInterviewSetsScreen() {
  const query = useListManagedInterviewSetsQuery({ answers: false });
  const [changeStatus] = useChangeInterviewSetStatusMutation();
  const [remove] = useDeleteInterviewSetMutation();
  const [busy, run] = useInFlight();
  const table = useRef<HTMLDivElement>(null);
  const filter = useStatusFilter(query.data ?? none);
  const list = useListPage(filter.shown, textOf, pageSize);
  const deletion = useDeletion<InterviewSet>({
    remove: ({ _id }) => remove({ id: _id }),
    refetch: query.refetch,
    done: ({ title }) => messages.interviewSets.deleted(title),
    failed: fallbacks.deleteInterviewSet,
    onDeleted: () => table.current?.focus(),
  });

  const move = ({ _id, title, status, version }: InterviewSet) =>
    run(async () => {
      const { to, done } = moves[status];
      const { error } = await changeStatus({ id: _id, status: to, version });
      await query.refetch();
      if (error) toast.error(errorMessage(error, fallbacks.updateInterviewSet));
      else toast.success(`“${title}” ${done}`);
    });

  const screen = {
    title: 'Manage Interview Sets',
    lead: 'Candidates see published sets only.',
    actions: (
      <Button component={Link} to={paths.newSet} leftSection={<IconPlus size={16} aria-hidden />}>
        Add Interview Set
      </Button>
    ),
  };
  const failure = failureOf([query, fallbacks.fetchInterviewSets]);
  if (!query.data) {
    return (
      <Screen {...screen}>
        {failure ? <LoadFailure {...failure} /> : <ListSkeleton label="Loading interview sets…" />}
      </Screen>
    );
  }
  const { about } = deletion;
  const questionCount = countOf(about?.questions.length ?? 0, 'question');
  return (
    <Screen {...screen}>
      <Stack gap="md" ref={table} tabIndex={-1} className={classes.screen ?? ''}>
        {failure && <PartFailure {...failure} />}
        <div className={classes.filter}>{filter.control}</div>
        <ListToolbar list={list} nouns={['interview set', 'interview sets']} />
        {list.total === 0 && (
          <Notice icon={<IconListDetails size={32} stroke={1.5} />} title="No interview sets here" />
        )}
        {list.total > 0 && list.found === 0 && <NoMatch list={list} says="No interview set matches" />}
        {list.found > 0 && (
          <Table className={classes.table ?? ''} verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                {['Title', 'Technology', 'Questions', 'Status', 'Changed', 'Actions'].map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.items.map((set) => (
                <SetRow
                  key={set._id}
                  set={set}
                  busy={busy}
                  onMove={() => void move(set)}
                  onDelete={() => deletion.ask(set)}
                />
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Pager {...list} />
      </Stack>
      <ConfirmDialog
        opened={deletion.opened}
        title={`Delete “${about?.title ?? ''}”?`}
        confirmLabel={`Delete “${about?.title ?? ''}” and its ${questionCount}`}
        busy={deletion.busy}
        onConfirm={deletion.confirm}
        onCancel={deletion.close}
      >
        Its {questionCount} and their expert answers will be deleted for good. Interviews already taken with it stay in
        the history. To hide the set and keep it, archive it instead.
      </ConfirmDialog>
    </Screen>
  );
}
