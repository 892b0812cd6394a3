import '@mantine/charts/styles.css';
import type { TechnologyProgress } from '@interview-prep/contracts/history/progress';
import { correctFromPercentage } from '@interview-prep/contracts/recording/shown-verdict';
import { LineChart } from '@mantine/charts';
import { Anchor, Box, Group, Table, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { MarkedText } from '../../components/marked-text.tsx';
import { SentencePart } from '../../components/sentence-part.tsx';
import { DetailDate } from '../../components/times.tsx';
import { countOf, shortDay, spokenTime } from '../../lib/formats.ts';
import { paths } from '../../lib/paths.ts';
import classes from './progress-screen.module.css';

/** A chart of the average over time, with the threshold for a correct answer. The table has the numbers. */
function TrendChart({ trend }: Pick<TechnologyProgress, 'trend'>) {
  const data = trend.map(({ createdAt, soFar }, index) => ({
    at: `${index + 1}`,
    day: shortDay(createdAt),
    Average: Math.round(soFar.average),
  }));
  const [first, last] = [data.at(0)?.Average, data.at(-1)?.Average];
  return (
    <div
      className={classes.chart}
      role="img"
      aria-label={`Average so far, over ${trend.length} interviews: from ${first}% to ${last}%`}
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
        // Treat the chart as a single image, without focusable parts.
        lineChartProps={{ accessibilityLayer: false, margin: { top: 16, right: 48 } }}
      />
    </div>
  );
}

/** Compares first and latest scores of the same questions: '5 of them answered again: 40% at first, 71% now.' */
function Repeated({ repeated, questionCount }: Pick<TechnologyProgress, 'repeated' | 'questionCount'>) {
  if (!repeated) return null;
  const which =
    repeated.questionCount === questionCount
      ? `Answered again: `
      : `${countOf(repeated.questionCount, 'question')} answered again: `;
  return (
    <Text size="sm">
      {which}
      {Math.round(repeated.first)}% at first, {Math.round(repeated.now)}% now.
    </Text>
  );
}

/** One technology: latest score, trend, and the points to work on. */
export function TechnologySection({ progress }: { progress: TechnologyProgress }) {
  const { technology, sessionCount, questionCount, spokenMs, average, editedCount, reviewedCount, trend, missed } =
    progress;
  return (
    <section className={classes.card} aria-label={technology}>
      <Group gap="sm" align="flex-start" justify="space-between" mb="md">
        <Title order={3}>{technology}</Title>
        <Text size="sm" c="dimmed" className="tabular">
          {countOf(sessionCount, 'session')} · {spokenTime(spokenMs)} spoken
        </Text>
      </Group>
      <div className={classes.columns}>
        <div>
          {average === null ? (
            <Text size="sm" c="dimmed">
              No interview has been judged yet.
            </Text>
          ) : (
            <>
              <Text size="sm" c="dimmed" className="tabular">
                <Text span mr={4} c="var(--mantine-color-text)" size="xl" fw={650} lh={1.2}>
                  {Math.round(average)}%
                </Text>{' '}
                average of your newest{' '}
                {questionCount === 1 ? 'answer to 1 question' : `answers to ${questionCount} questions`}
                {reviewedCount > 0 && ` · ${reviewedCount} scored by a reviewer`}
                {editedCount > 0 && ` · ${editedCount} with edited words, not yet reviewed`}
              </Text>
              <Repeated {...progress} />
              {trend.length > 1 && <TrendChart trend={trend} />}
              <details className={classes.details}>
                <summary>Show the table</summary>
                <TrendTable technology={technology} trend={trend} />
              </details>
            </>
          )}
        </div>
        <div>
          <Title order={4} size="sm">
            Points to work on
          </Title>
          {missed.length === 0 ? (
            <Text size="sm" c="dimmed">
              {average === null ? 'None yet.' : 'Your newest answers make every point.'}
            </Text>
          ) : (
            <ol className={classes.missed}>
              {missed.map(({ text, before, after, question, times, interviewId, questionId }) => (
                <li key={`${question} ${text}`}>
                  <SentencePart before={before} point={text} after={after} />
                  <Box component="span" display="block" c="dimmed" fz="xs">
                    Missing or partial in {countOf(times, 'answer')} to
                    <Anchor component={Link} to={paths.takes(interviewId, questionId + 1)} size="xs" underline="always">
                      <MarkedText>{question}</MarkedText>
                    </Anchor>
                  </Box>
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
    <Table aria-label={`${technology}: each interview`}>
      <Table.Thead>
        <Table.Tr>
          {['Date', 'Interview', 'Score', 'Average so far'].map((name) => (
            <Table.Th key={name}>{name}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {trend
          .toReversed()
          .map(({ interviewId, title, createdAt, average, judgedCount, editedCount, reviewedCount, soFar }) => (
            <Table.Tr key={interviewId}>
              <Table.Td>
                <DetailDate at={createdAt} />
              </Table.Td>
              <Table.Td>
                <Anchor component={Link} to={paths.interviewDetail(interviewId)} size="sm">
                  {title}
                </Anchor>
              </Table.Td>
              <Table.Td>
                {Math.round(average)}% of {countOf(judgedCount, 'answer')}
                {reviewedCount > 0 && ` · ${reviewedCount} reviewed`}
                {editedCount > 0 && ` · ${editedCount} edited`}
              </Table.Td>
              <Table.Td>
                {Math.round(soFar.average)}% of {countOf(soFar.questionCount, 'question')}
              </Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
