import '@mantine/charts/styles.css';
import type { TechnologyProgress } from '@interview-prep/contracts/history/progress';
import { correctFromPercentage } from '@interview-prep/contracts/recording/shown-verdict';
import { LineChart } from '@mantine/charts';
import { Anchor, Table, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { MarkedText } from '../../components/marked-text.tsx';
import { exactTime, listDate, shortDay, spokenTime } from '../../lib/formats.ts';
import { paths } from '../../lib/paths.ts';
import classes from './progress-screen.module.css';

/** The averages of a technology's interviews as a line, with where an answer counts as correct. The table has the numbers. */
function TrendChart({ trend }: Pick<TechnologyProgress, 'trend'>) {
  const data = trend.map(({ createdAt, average }, index) => ({
    at: `${index + 1}`,
    day: shortDay(createdAt),
    Average: Math.round(average),
  }));
  const first = trend.at(0)?.average ?? 0;
  const last = trend.at(-1)?.average ?? 0;
  const course = trend.length === 1 ? '' : ` from ${Math.round(first)} to ${Math.round(last)}%`;
  return (
    <div
      className={classes.chart}
      role="img"
      aria-label={`Line of ${trend.length} ${trend.length === 1 ? 'interview' : 'interviews'}${course}`}
    >
      <LineChart
        h={180}
        data={data}
        dataKey="at"
        series={[{ name: 'Average', color: 'indigo.6' }]}
        curveType="linear"
        withTooltip={false}
        withPointLabels={trend.length <= 12}
        gridAxis="x"
        unit="%"
        yAxisProps={{ domain: [0, 100], ticks: [0, 20, 40, 60, 80, 100], width: 52 }}
        xAxisProps={{
          tickFormatter: (at: string) => data[Number(at) - 1]?.day ?? '',
          padding: { left: 24, right: 24 },
        }}
        referenceLines={[{ y: correctFromPercentage, color: 'teal.6', label: 'Correct', labelPosition: 'right' }]}
        lineProps={{ isAnimationActive: false }}
        // One picture: its parts take no focus.
        lineChartProps={{ accessibilityLayer: false, margin: { top: 16, right: 48 } }}
      />
    </div>
  );
}

/** One technology: the averages of its interviews as a line and as a table, and the points that are still missed. */
export function TechnologySection({ progress }: { progress: TechnologyProgress }) {
  const { technology, sessionCount, questionCount, spokenMs, trend, missed } = progress;
  return (
    <section className={classes.card} aria-label={technology}>
      <div className={classes.head}>
        <Title order={3}>{technology}</Title>
        <Text size="sm" c="dimmed" className="tabular">
          {sessionCount} {sessionCount === 1 ? 'session' : 'sessions'}
          {questionCount > 0 && ` · ${questionCount} ${questionCount === 1 ? 'question' : 'questions'}`} ·{' '}
          {spokenTime(spokenMs)} spoken
        </Text>
      </div>
      <div className={classes.columns}>
        <div>
          <Title order={4} size="sm">
            Average of each interview
          </Title>
          {trend.length === 0 ? (
            <Text size="sm" c="dimmed">
              No interview has been judged yet.
            </Text>
          ) : (
            <>
              <TrendChart trend={trend} />
              {trend.some(({ editedCount }) => editedCount > 0) && (
                <Text size="xs" c="dimmed">
                  Some averages include scores for edited words that no reviewer has confirmed.
                </Text>
              )}
              <details className={classes.details}>
                <summary>Show the table</summary>
                <TrendTable technology={technology} trend={trend} />
              </details>
            </>
          )}
        </div>
        <div>
          <Title order={4} size="sm">
            Points still missed
          </Title>
          {missed.length === 0 ? (
            <Text size="sm" c="dimmed">
              {trend.length === 0 ? 'None yet.' : 'Your newest answers make every point.'}
            </Text>
          ) : (
            <ol className={classes.missed}>
              {missed.map(({ text, question, times, interviewId, questionId }) => (
                <li key={`${question} ${text}`}>
                  <MarkedText>{text}</MarkedText>
                  <span className={classes.from}>
                    {times === 1 ? 'Missed once' : `Missed ${times} times`} in
                    <Anchor component={Link} to={paths.takes(interviewId, questionId + 1)} size="xs" underline="always">
                      <MarkedText>{question}</MarkedText>
                    </Anchor>
                  </span>
                </li>
              ))}
            </ol>
          )}
        </div>
      </div>
    </section>
  );
}

function TrendTable({ technology, trend }: Pick<TechnologyProgress, 'technology' | 'trend'>) {
  return (
    <Table aria-label={`${technology}: average of each interview`}>
      <Table.Thead>
        <Table.Tr>
          {['Date', 'Interview', 'Answers', 'Average'].map((name) => (
            <Table.Th key={name}>{name}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {trend.toReversed().map(({ interviewId, title, createdAt, average, judgedCount, editedCount }) => (
          <Table.Tr key={interviewId}>
            <Table.Td>
              <time title={exactTime(createdAt)}>{listDate(createdAt)}</time>
            </Table.Td>
            <Table.Td>
              <Anchor component={Link} to={paths.interviewDetail(interviewId)} size="sm">
                {title}
              </Anchor>
            </Table.Td>
            <Table.Td>{judgedCount}</Table.Td>
            <Table.Td>
              {Math.round(average)}%{editedCount > 0 && ` · ${editedCount} edited`}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
