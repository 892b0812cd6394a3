import type { Group } from '@interview-prep/contracts/auth/groups';
import { ReviewCause, type ReviewQueueQuery, reviewPageSize } from '@interview-prep/contracts/recording/reviews';
import { Button, NativeSelect, Group as Row, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { Pager } from '../../components/list-page.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { MarkedText } from '../../components/marked-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { Screen } from '../../components/screen.tsx';
import type { ApiError } from '../../lib/api/api-error.ts';
import { useListAssignmentsQuery } from '../../lib/api/assignments-api.ts';
import { useListGroupsQuery } from '../../lib/api/groups-api.ts';
import { countOf } from '../../lib/formats.ts';
import { selectUser } from '../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../lib/state/state-hooks.ts';
import { useAddressFields } from '../../lib/use-address-fields.ts';
import { SessionSkeletons } from './list/session-lines.tsx';
import { QueueRows } from './review/queue-rows.tsx';
import { toReview } from './review/review-queue.ts';
import { useReviewAgreementQuery, useReviewQueueQuery } from './review/reviews-api.ts';

const figure = (value: number | null) => (value === null ? '–' : value.toFixed(2));
const rowsMax = 20;

/** Shows admins how closely judge and reviewers agree, and where they differ most; hidden before the first review. */
function Agreement() {
  const { data } = useReviewAgreementQuery(undefined, { refetchOnMountOrArgChange: true });
  if (!data?.all) return null;
  const { all, questions } = data;
  return (
    <section>
      <Title order={2} size="h3" mt="xl" mb="xs">
        Where the judge and people differ most
      </Title>
      <Text c="dimmed" size="xs">
        {countOf(all.count, 'answer')} scored by both: {all.difference} percentage points apart on average. Pearson’s r{' '}
        {figure(all.pearson)}, Cohen’s κ {figure(all.kappa)}. 1 = full agreement, 0 = no better than chance, – = too few
        answers.
      </Text>
      <Table.ScrollContainer minWidth={560} type="native" tabIndex={0} role="region" aria-label="Agreement by question">
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Question</Table.Th>
              <Table.Th>Set</Table.Th>
              <Table.Th ta="right">Answers</Table.Th>
              <Table.Th ta="right">Apart</Table.Th>
              <Table.Th ta="right">Pearson</Table.Th>
              <Table.Th ta="right">κ</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody className="tabular">
            {questions.slice(0, rowsMax).map(({ title, question, count, difference, pearson, kappa }) => (
              <Table.Tr key={`${title} ${question}`}>
                <Table.Td>
                  <MarkedText>{question}</MarkedText>
                </Table.Td>
                <Table.Td>{title}</Table.Td>
                <Table.Td ta="right">{count}</Table.Td>
                <Table.Td ta="right">{difference}</Table.Td>
                <Table.Td ta="right">{figure(pearson)}</Table.Td>
                <Table.Td ta="right">{figure(kappa)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}

/** The queue filter in the URL. */
function useQueueFilter() {
  const [fields, change] = useAddressFields();
  const page = Number(fields.get('page'));
  const filter: ReviewQueueQuery = {
    state: fields.get('state') === 'reviewed' ? 'reviewed' : 'waiting',
    cause: ReviewCause.options.find((cause) => cause === fields.get('cause')),
    groupId: fields.get('group') ?? undefined,
    assignmentId: fields.get('assignment') ?? undefined,
    page: Number.isInteger(page) && page > 0 ? page : 1,
    limit: reviewPageSize,
  };
  const set = (changes: Record<string, string>) => change({ page: '', ...changes });
  return { filter, set };
}

/** The queue's filters: group, assignment and reason. */
function QueueFilters({ filter, set, groups }: ReturnType<typeof useQueueFilter> & { groups: readonly Group[] }) {
  const { data: assignments = [] } = useListAssignmentsQuery(
    { groupId: filter.groupId ?? '' },
    { skip: filter.groupId === undefined },
  );
  return (
    <Row gap="sm" mb="md">
      <SegmentedControl
        size="xs"
        aria-label="State"
        value={filter.state}
        onChange={(state) => set({ state: state === 'waiting' ? '' : state })}
        data={[
          { value: 'waiting', label: 'Waiting' },
          { value: 'reviewed', label: 'Reviewed' },
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label="Reason"
        value={filter.cause ?? ''}
        onChange={(event) => set({ cause: event.currentTarget.value })}
        data={[
          { value: '', label: 'Any reason' },
          { value: 'appeal', label: 'Appeals' },
          { value: 'unsure', label: 'The judge is not sure' },
        ]}
      />
      {groups.length > 0 && (
        <NativeSelect
          size="xs"
          aria-label="Group"
          value={filter.groupId ?? ''}
          onChange={(event) => set({ group: event.currentTarget.value, assignment: '' })}
          data={[{ value: '', label: 'All groups' }, ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )}
      {assignments.length > 0 && (
        <NativeSelect
          size="xs"
          aria-label="Assignment"
          value={filter.assignmentId ?? ''}
          onChange={(event) => set({ assignment: event.currentTarget.value })}
          data={[
            { value: '', label: 'All assignments' },
            ...assignments.map(({ id, title }) => ({ value: id, label: title })),
          ]}
        />
      )}
    </Row>
  );
}

/** The review queue: appeals and unsure verdicts, for admins and for coaches of a group. */
export default function AppealsScreen() {
  const isAdmin = useAppSelector(selectUser)?.role === 'admin';
  const { data: allGroups } = useListGroupsQuery();
  const groups = (allGroups ?? []).filter(({ role }) => isAdmin || role === 'coach');
  const isReviewer = isAdmin || groups.length > 0;
  const queue = useQueueFilter();
  const { filter, set } = queue;
  const isReviewed = filter.state === 'reviewed';
  const { data, error, isFetching, refetch } = useReviewQueueQuery(filter, {
    refetchOnMountOrArgChange: true,
    pollingInterval: 30_000,
    skip: !isReviewer,
  });
  const [first] = data?.items ?? [];
  if (!isReviewer && allGroups) {
    return (
      <Screen title="Answers to review">
        <Notice icon={<IconUserQuestion size={32} stroke={1.5} />} title="You coach no group">
          Coaches review here what members of their groups answered.
        </Notice>
      </Screen>
    );
  }
  return (
    <Screen
      title="Answers to review"
      lead="Appeals come first, then answers the judge is not sure of, while their feedback waits."
      actions={
        first &&
        !isReviewed && (
          <Button component={Link} {...toReview(first, filter)}>
            Start reviewing
          </Button>
        )
      }
    >
      <QueueFilters {...queue} groups={groups} />
      {error && !data && <LoadFailure message={(error as ApiError).message} onRetry={refetch} retrying={isFetching} />}
      {!data && !error && <SessionSkeletons count={3} />}
      {data && (
        <Stack gap="sm">
          <Text c="dimmed" size="sm" className="tabular" role="status">
            {countOf(data.total, 'answer')} {isReviewed ? 'reviewed' : 'waiting'}
          </Text>
          {data.items.length === 0 ? (
            <Notice
              icon={<IconUserQuestion size={32} stroke={1.5} />}
              title={isReviewed ? 'Nothing reviewed yet' : 'No answers to review'}
            >
              An answer appears here when a candidate requests a human review, or when the judge is not sure of assigned
              work whose feedback waits.
            </Notice>
          ) : (
            <QueueRows
              items={data.items}
              filter={filter}
              groupNames={new Map(groups.map(({ id, name }) => [id, name]))}
            />
          )}
          <Pager
            page={filter.page}
            pageCount={Math.ceil(data.total / reviewPageSize)}
            turnTo={(page) => set({ page: page === 1 ? '' : String(page) })}
          />
        </Stack>
      )}
      {isAdmin && <Agreement />}
    </Screen>
  );
}
