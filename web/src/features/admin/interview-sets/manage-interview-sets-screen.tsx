import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import { Anchor, Button, Stack } from '@mantine/core';
import { IconListDetails, IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { ListToolbar, Pager, useListPage } from '../../../components/list-page.tsx';
import { failureOf, LoadFailure, PartFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Screen } from '../../../components/screen.tsx';
import { countOf } from '../../../lib/formats.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import classes from '../card-table.module.css';
import { ListSkeleton, NoMatch } from '../list-skeleton.tsx';
import {
  useChangeInterviewSetStatusMutation,
  useDeleteInterviewSetMutation,
  useListManagedInterviewSetsQuery,
} from '../sets/managed-sets-api.ts';
import { SetRow, SetTable, searchedText, useStatusChange, useStatusFilter } from '../sets/set-table.tsx';
import { useDeletion } from '../use-deletion.tsx';

const pageSize = 20;
const none: readonly InterviewSet[] = [];

/** A table of all interview sets, including drafts and archived sets, for admins. */
export default function ManageInterviewSetsScreen() {
  const query = useListManagedInterviewSetsQuery({ answers: false });
  const [changeStatus] = useChangeInterviewSetStatusMutation();
  const [remove] = useDeleteInterviewSetMutation();
  const table = useRef<HTMLDivElement>(null);
  const filter = useStatusFilter(query.data ?? none);
  const list = useListPage(filter.shown, searchedText, pageSize);
  const { busy, move } = useStatusChange({
    change: changeStatus,
    refetch: query.refetch,
    failed: fallbacks.updateInterviewSet,
  });
  const deletion = useDeletion<InterviewSet>({
    remove: ({ _id }) => remove({ id: _id }),
    refetch: query.refetch,
    done: ({ title }) => messages.interviewSets.deleted(title),
    failed: fallbacks.deleteInterviewSet,
    onDeleted: () => table.current?.focus(),
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
        {filter.control}
        <ListToolbar list={list} nouns={['interview set', 'interview sets']} />
        {list.total === 0 && (
          <Notice icon={<IconListDetails size={32} stroke={1.5} />} title="No interview sets here" />
        )}
        {list.total > 0 && list.found === 0 && <NoMatch list={list} says="No interview set matches" />}
        {list.found > 0 && (
          <SetTable>
            {list.items.map((set) => (
              <SetRow
                key={set._id}
                set={set}
                busy={busy}
                head={
                  <Anchor component={Link} to={paths.editSet(set._id)} fw={550}>
                    {set.title}
                  </Anchor>
                }
                onMove={() => void move(set)}
                onDelete={() => deletion.ask(set)}
              />
            ))}
          </SetTable>
        )}
        <Pager {...list} />
      </Stack>
      <ConfirmDialog
        {...deletion.dialog}
        title={`Delete “${about?.title ?? ''}”?`}
        confirmLabel={`Delete “${about?.title ?? ''}” and its ${questionCount}`}
      >
        Its {questionCount} and their expert answers will be deleted for good. Interviews already taken with it stay in
        the history. To hide the set and keep it, archive it instead.
      </ConfirmDialog>
    </Screen>
  );
}
