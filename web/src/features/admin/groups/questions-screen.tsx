import type { RosterQuestion } from '@interview-prep/contracts/history/rosters';
import { Text } from '@mantine/core';
import { IconMessageQuestion } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { ListToolbar, Pager, useListPage } from '../../../components/list-page.tsx';
import { failureOf } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useRosterQuestionsQuery } from '../../../lib/api/assignments-api.ts';
import { countOf } from '../../../lib/formats.ts';
import { paths } from '../../../lib/paths.ts';
import { NoMatch } from '../list-skeleton.tsx';
import { HeatMap, HeatMapLegend } from './heat-map.tsx';
import { averageOf, type HeatMapRow, heatMapColumns, heatMapRows, sortRows } from './heat-map-rows.ts';
import { QuestionFigures } from './question-figures.tsx';
import { AssignmentScreen, NoAssignment, useAssignment } from './use-assignment.tsx';

const pageSize = 200;
/** Refreshes as members work. Less often than the roster, since the server reads all answers' scores each time. */
const pollMs = 10_000;
const none: readonly RosterQuestion[] = [];
const textOf = ({ person, name }: HeatMapRow) => `${name} ${person.email}`;

/** The group's results on each question of an assignment; refreshes while it is open. */
export default function QuestionsScreen() {
  const subject = useAssignment();
  const { groupId, assignmentId, group, assignment } = subject;
  const query = useRosterQuestionsQuery(
    { groupId, assignmentId },
    { pollingInterval: pollMs, refetchOnMountOrArgChange: true },
  );
  const [sort, setSort] = useState<'name' | 'average'>('name');
  const questions = query.data ?? none;
  const columns = useMemo(() => heatMapColumns(questions, assignment?.sets ?? []), [questions, assignment]);
  const rows = useMemo(
    () => (group && assignment ? sortRows(heatMapRows(group.people, assignment, columns), sort) : []),
    [group, assignment, columns, sort],
  );
  const list = useListPage(rows, textOf, pageSize);
  const failure = failureOf(...subject.loads, [query, 'Failed to fetch the answers']);
  if (!group || !assignment || !query.data)
    return <NoAssignment {...subject} failure={failure} loading="Loading the answers…" />;

  const back = paths.rosterQuestions(groupId, assignmentId);
  const average = averageOf(rows.flatMap(({ average }) => average ?? []));
  return (
    <AssignmentScreen
      {...{ group, assignment, failure }}
      shown="Questions"
      about={`${countOf(columns.length, 'question')}${average === null ? '' : ` · ${average}% on average`}`}
    >
      {columns.length === 0 ? (
        <Notice icon={<IconMessageQuestion size={32} stroke={1.5} />} title="Nobody has answered yet">
          The answers of all members appear here, question by question.
        </Notice>
      ) : (
        <>
          <ListToolbar list={list} nouns={['member', 'members']} />
          {list.total > 0 && list.found === 0 && <NoMatch list={list} says="Nobody matches" />}
          {list.found > 0 && <HeatMap columns={columns} rows={list.items} back={back} sort={sort} onSort={setSort} />}
          <Pager {...list} />
          <HeatMapLegend />
          <Text size="sm" c="dimmed">
            Each cell is a member’s newest answer: its score, or its length where nothing is judged. Opened from here, N
            leads to the next member’s answer to the same question, Shift+N to the previous one.
          </Text>
          {columns.map((column) => (
            <QuestionFigures key={column.key} column={column} rows={rows} back={back} />
          ))}
        </>
      )}
    </AssignmentScreen>
  );
}
