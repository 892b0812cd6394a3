import type { TechnologyProgress } from '@interview-prep/contracts/progress';
import { correctFromPercentage } from '@interview-prep/contracts/shown-verdict';
import { LineChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { shortDay } from '../../lib/formats.ts';
import classes from './progress-screen.module.css';

/** The averages of a technology's interviews as a line, with where an answer counts as correct. The table has the numbers. */
export function TrendChart({ trend }: Pick<TechnologyProgress, 'trend'>) {
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
