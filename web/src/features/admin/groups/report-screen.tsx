import { Anchor, Table, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { failureOf } from '../../../components/load-failure.tsx';
import { useRosterQuery, useRosterQuestionsQuery } from '../../../lib/api/assignments-api.ts';
import { detailDate, spokenTime } from '../../../lib/formats.ts';
import { paths } from '../../../lib/paths.ts';
import table from '../card-table.module.css';
import { averageOf, heatMapColumns, heatMapRows, sortRows } from './heat-map-rows.ts';
import { QuestionFigures } from './question-figures.tsx';
import { AboutScores, PrintButton, ReportFacts } from './report-parts.tsx';
import { changeOf, nameOf, rosterOf, sortRoster, stateNames } from './roster-rows.ts';
import { AssignmentScreen, Cell, NoAssignment, percent, signed, useAssignment } from './use-assignment.tsx';

/** A printable report of a group's assignment: progress, results by question, and what the scores mean. */
export default function ReportScreen() {
  const subject = useAssignment();
  const { groupId, assignmentId, group, assignment } = subject;
  const ids = { groupId, assignmentId };
  const roster = useRosterQuery(ids, { refetchOnMountOrArgChange: true });
  const query = useRosterQuestionsQuery(ids, { refetchOnMountOrArgChange: true });
  const failure = failureOf(
    ...subject.loads,
    [roster, 'Failed to fetch the roster'],
    [query, 'Failed to fetch the answers'],
  );
  if (!group || !assignment || !roster.data || !query.data)
    return <NoAssignment {...subject} failure={failure} loading="Loading the report…" />;

  const members = sortRoster(rosterOf(group.people, roster.data, assignment, Date.now()), 'name', false);
  const columns = heatMapColumns(query.data, assignment.sets);
  const rows = sortRows(heatMapRows(group.people, assignment, columns), 'name');
  const done = members.filter(({ state }) => state === 'done' || state === 'late').length;
  const changes = members.flatMap(({ row }) => (row ? (changeOf(row) ?? []) : []));
  const back = paths.rosterReport(groupId, assignmentId);
  return (
    <AssignmentScreen
      {...{ group, assignment, failure }}
      shown="Report"
      before="Report of "
      about={`${assignment.sets.map(({ title }) => title).join(', ')} · As of ${detailDate(Date.now())}`}
      actions={<PrintButton />}
    >
      <ReportFacts
        facts={[
          ['Done', `${done} of ${members.length}`],
          ['Best, on average', percent(averageOf(members.flatMap(({ row }) => row?.best ?? [])))],
          ['Latest, on average', percent(averageOf(members.flatMap(({ row }) => row?.latest ?? [])))],
          ['Change since the first', signed(averageOf(changes))],
          ['Time spoken', spokenTime(members.reduce((sum, { row }) => sum + (row?.spokenMs ?? 0), 0))],
        ]}
      />
      <AboutScores groupId={groupId} questions={query.data} />
      <Title order={2} size="h4">
        Members
      </Title>
      <Table className={table.table ?? ''} verticalSpacing={4} aria-label="Members">
        <Table.Thead>
          <Table.Tr>
            {['Member', 'State', 'Takes', 'First', 'Best', 'Latest', 'Change', 'Time spoken'].map((label) => (
              <Table.Th key={label}>{label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {members.map((member) => {
            const { person, state, row } = member;
            const cells = [
              ['Takes', row?.takes ?? 0],
              ['First', percent(row?.first)],
              ['Best', percent(row?.best)],
              ['Latest', percent(row?.latest)],
              ['Change', signed(row ? changeOf(row) : null)],
              ['Spoken', row ? spokenTime(row.spokenMs) : '–'],
            ] as const;
            return (
              <Table.Tr key={person.userId}>
                <Table.Td className={table.title ?? ''}>
                  <Anchor component={Link} to={paths.memberReport(groupId, assignmentId, person.userId)} size="sm">
                    {nameOf(member)}
                  </Anchor>
                </Table.Td>
                <Table.Td>{stateNames[state].label}</Table.Td>
                {cells.map(([label, value]) => (
                  <Cell key={label} label={label}>
                    {value}
                  </Cell>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      {columns.map((column) => (
        <QuestionFigures key={column.key} column={column} rows={rows} back={back} />
      ))}
    </AssignmentScreen>
  );
}
