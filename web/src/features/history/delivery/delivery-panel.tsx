import { Box, Group, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { SessionRecording } from '../session-types.ts';
import { deliveryFacts } from './delivery-facts.ts';
import classes from './delivery-panel.module.css';

const width = 64;
const height = 16;

/** An answer's pace over time, as a line chart. @param pace words per minute of equally long segments */
function PaceCourse({ pace }: { pace: readonly number[] }) {
  if (pace.length < 2) return null;
  const highest = Math.max(...pace);
  const lowest = Math.min(...pace);
  const at = (value: number, index: number) =>
    `${(index * width) / (pace.length - 1)},${height - 2 - ((value - lowest) * (height - 4)) / Math.max(1, highest - lowest)}`;
  return (
    <svg
      className={classes.course}
      width={width}
      height={height}
      role="img"
      aria-label={`Words per minute over the answer: ${pace.join(', ')}`}
    >
      <title>{pace.join(', ')} words per minute</title>
      <polyline points={pace.map(at).join(' ')} fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}

/** An answer's delivery metrics and advice; hidden if nothing was measured. */
export function DeliveryPanel({ recording }: { recording: SessionRecording }) {
  const facts = deliveryFacts(recording);
  const { delivery } = recording;
  if (!delivery) return null;
  return (
    <section>
      <VisuallyHidden component="h4">Delivery</VisuallyHidden>
      <Group component="dl" gap="4px 20px" align="stretch" m={0} fz="sm">
        {facts.map(({ label, value, norm, advice }) => (
          <div key={label} className={classes.fact} title={norm || undefined}>
            <dt>{label}</dt>
            <dd>
              <Box component="span" fw={550} className="tabular">
                {value}
              </Box>
              {label === 'Pace' && <PaceCourse pace={delivery.pace} />}
              {advice && (
                <span className={classes.advice}>
                  <IconAlertTriangle size={13} stroke={2} aria-hidden /> {advice}
                  {norm && ` (${norm})`}
                </span>
              )}
            </dd>
          </div>
        ))}
      </Group>
      {delivery.omitsFillers && (
        <p className={classes.note}>Fillers may be undercounted; our transcription often skips “um” and “uh”.</p>
      )}
    </section>
  );
}
