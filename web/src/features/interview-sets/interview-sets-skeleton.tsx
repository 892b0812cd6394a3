import { Skeleton, VisuallyHidden } from '@mantine/core';
import cards from '../../components/set-card.module.css';
import classes from './interview-sets-screen.module.css';

const pillWidths = [132, 96, 110, 84, 120];
const cardKeys = ['a', 'b', 'c', 'd', 'e', 'f'];

export function InterviewSetsSkeleton() {
  return (
    <>
      <div aria-hidden>
        <Skeleton height={132} radius="lg" mb="lg" />
      </div>
      <SetBrowserSkeleton />
    </>
  );
}

/** The list's placeholder while it loads or hasn't rendered yet. */
export function SetBrowserSkeleton() {
  return (
    <>
      <VisuallyHidden role="status">Loading interview sets…</VisuallyHidden>
      <div aria-hidden>
        <div style={{ display: 'flex', gap: 8, overflow: 'hidden' }}>
          {pillWidths.map((width) => (
            <Skeleton key={width} height={34} width={width} radius="xl" style={{ flex: 'none' }} />
          ))}
        </div>
        <Skeleton height={16} width={180} className={classes.count} />
        <div className={cards.grid}>
          {cardKeys.map((card) => (
            <Skeleton key={card} height={248} radius="lg" />
          ))}
        </div>
      </div>
    </>
  );
}
