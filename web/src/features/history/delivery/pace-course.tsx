import classes from './delivery-panel.module.css';

const width = 64;
const height = 16;

/** The pace of an answer over its time, as a line. @param pace words a minute, one for each equal part */
export function PaceCourse({ pace }: { pace: readonly number[] }) {
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
      aria-label={`Words a minute over the answer: ${pace.join(', ')}`}
    >
      <title>{pace.join(', ')} words a minute</title>
      <polyline points={pace.map(at).join(' ')} fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
