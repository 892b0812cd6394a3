import type { GroupPerson } from '@interview-prep/contracts/auth/groups';
import type { MemberAnswer, MemberSession } from '@interview-prep/contracts/history/rosters';
import { pointStateNames } from '@interview-prep/contracts/recording/point-states';
import { questionKey } from '@interview-prep/contracts/text/question-text';
import { Anchor, Group, Stack, Table, Text, Title } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { Link, useParams } from 'react-router-dom';
import { failureOf, PartFailure } from '../../../components/load-failure.tsx';
import { MarkedText } from '../../../components/marked-text.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Screen } from '../../../components/screen.tsx';
import { SentencePart } from '../../../components/sentence-part.tsx';
import { DetailDate } from '../../../components/times.tsx';
import { useMemberReportQuery, useRosterQuery, useRosterQuestionsQuery } from '../../../lib/api/assignments-api.ts';
import { answerLength, detailDate, minutesSeconds, spokenTime } from '../../../lib/formats.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { paths, sessionPath } from '../../../lib/paths.ts';
import table from '../card-table.module.css';
import { answerPath } from './heat-map-rows.ts';
import classes from './report.module.css';
import { AboutScores, PrintButton, ReportFacts } from './report-parts.tsx';
import { changeOf, nameOf, rosterOf, stateNames } from './roster-rows.ts';
import { NoAssignment, percent, signed, useAssignment } from './use-assignment.tsx';

interface Answered {
  session: MemberSession;
  answer: MemberAnswer;
}

/** The answers to each question, oldest first; questions in the order they were first answered. */
export function byQuestion(sessions: readonly MemberSession[]): Answered[][] {
  const answers = sessions.flatMap((session) => session.answers.map((answer) => ({ session, answer })));
  return [
    ...Map.groupBy(answers, ({ session, answer }) => `${session.title} ${questionKey(answer.question)}`).values(),
  ];
}

/** A member's printable report on an assignment. */
export default function MemberReportScreen() {
  const subject = useAssignment();
  const { userId = '' } = useParams();
  const { groupId, assignmentId, group, assignment } = subject;
  const ids = { groupId, assignmentId };
  const report = useMemberReportQuery({ ...ids, userId }, { refetchOnMountOrArgChange: true });
  const roster = useRosterQuery(ids);
  const questions = useRosterQuestionsQuery(ids);
  const member =
    group && assignment && roster.data
      ? rosterOf(group.people, roster.data, assignment, Date.now()).find(({ person }) => person.userId === userId)
      : undefined;
  usePageTitle(member && assignment && `${nameOf(member)} · ${assignment.title}`);
  const failure = failureOf(
    ...subject.loads,
    [roster, 'Failed to fetch the roster'],
    [questions, 'Failed to fetch the answers'],
    [report, 'Failed to fetch the report'],
  );
  if (group && assignment && roster.data && !member) {
    return (
      <Screen title="Member not found">
        <Notice icon={<IconUsers size={32} stroke={1.5} />} title="They may have left the group" />
      </Screen>
    );
  }
  if (!group || !assignment || !member || !questions.data || !report.data)
    return <NoAssignment {...subject} failure={failure} loading="Loading the report…" />;

  const { row, state } = member;
  return (
    <Screen
      title={nameOf(member)}
      lead={
        <>
          <Anchor component={Link} to={paths.rosterReport(groupId, assignmentId)} inherit underline="always">
            {assignment.title}
          </Anchor>{' '}
          · {group.name} · As of {detailDate(Date.now())}
        </>
      }
      actions={<PrintButton />}
    >
      <Stack gap="md">
        {failure && <PartFailure {...failure} />}
        <ReportFacts
          facts={[
            ['State', stateNames[state].label],
            ['First', percent(row?.first)],
            ['Latest', percent(row?.latest)],
            ['Change', signed(row ? changeOf(row) : null)],
            ['Best', percent(row?.best)],
            ['Time spoken', row ? spokenTime(row.spokenMs) : '–'],
          ]}
        />
        {report.data.length > 0 && <Takes sessions={report.data} />}
        {byQuestion(report.data).map((answers) => (
          <QuestionReport
            key={`${answers[0]?.session.title} ${answers[0]?.answer.question}`}
            answers={answers}
            people={group.people}
          />
        ))}
        <AboutScores groupId={groupId} questions={questions.data} />
      </Stack>
    </Screen>
  );
}

function Takes({ sessions }: { sessions: readonly MemberSession[] }) {
  return (
    <Table className={table.table ?? ''} verticalSpacing={4} aria-label="Takes">
      <Table.Thead>
        <Table.Tr>
          {['Date', 'Set', 'Answered', 'Score'].map((label) => (
            <Table.Th key={label}>{label}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sessions.map(({ sessionId, kind, title, createdAt, late, score, questionCount, answers }) => (
          <Table.Tr key={sessionId}>
            <Table.Td>
              <DetailDate at={createdAt} />
              {late && ' · late'}
            </Table.Td>
            <Table.Td className={table.title ?? ''}>
              <Anchor component={Link} to={sessionPath(kind, sessionId)} size="sm">
                {title}
              </Anchor>
            </Table.Td>
            <Table.Td>
              {answers.length} of {questionCount}
            </Table.Td>
            <Table.Td>{percent(score)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const counted = (count: number, noun: string) => `${count === 0 ? 'no' : count} ${noun}${count === 1 ? '' : 's'}`;

/** The result of the newest answer to a question, and its change. @param answers oldest first, at least one */
function QuestionReport({ answers, people }: { answers: readonly Answered[]; people: readonly GroupPerson[] }) {
  const { session, answer } = answers.at(-1) as Answered;
  const { question, score, machineScore, pending, durationMs, points, delivery, review } = answer;
  const scores = answers.flatMap(({ answer: each }) => each.score ?? []);
  const by = people.find(({ userId }) => userId === review?.reviewer?.userId);
  return (
    <article className={classes.card}>
      <Group gap="4px 16px" align="baseline" justify="space-between">
        <Title order={2} size="h5">
          <Anchor component={Link} to={answerPath(session, { ...session, ...answer })} inherit c="inherit">
            <MarkedText>{question}</MarkedText>
          </Anchor>
        </Title>
        <Text size="sm" fw={600} className="tabular">
          {pending ? 'Scoring…' : scores.length > 1 ? scores.map((each) => `${each}%`).join(' → ') : percent(score)}
        </Text>
      </Group>
      <Text size="sm" c="dimmed" className="tabular">
        {[
          durationMs !== null && answerLength(durationMs),
          delivery?.wordsPerMinute && `${delivery.wordsPerMinute} words per minute`,
          delivery && counted(delivery.fillers, 'filler'),
          delivery && `${counted(delivery.pauses, 'pause')} over 2 s`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {points.length > 0 && (
        <ul className={classes.points}>
          {points.map(({ text, before, after, state }) => (
            <li key={`${before}${text}`}>
              <Text span size="sm" fw={600}>
                {pointStateNames[state]}
              </Text>
              <SentencePart before={before} point={text} after={after} />
            </li>
          ))}
        </ul>
      )}
      {review && (
        <div className={classes.remark}>
          <Text size="xs" c="dimmed">
            {by?.name ??
              review.reviewer?.email ??
              { admin: 'An admin', coach: 'A coach', reviewer: 'A reviewer' }[review.by]}{' '}
            · <DetailDate at={review.createdAt} /> · {review.correctnessPercentage}%
            {machineScore !== null && `, the judge said ${machineScore}%`}
          </Text>
          <p>{review.reason}</p>
          {review.comments.length > 0 && (
            <ul className={classes.comments}>
              {review.comments.map(({ atMs, text }) => (
                <li key={`${atMs} ${text}`}>
                  {minutesSeconds(atMs / 1000)} {text}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </article>
  );
}
