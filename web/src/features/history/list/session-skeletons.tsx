import { Skeleton, VisuallyHidden } from '@mantine/core';
import bordered from '../../../components/bordered-list.module.css';
import classes from './session-list.module.css';

/** Lines while they load. */
export function SessionSkeletons({ count }: { count: number }) {
  return (
    <>
      <div className={`${bordered.list} ${classes.list}`} aria-hidden>
        {Array.from({ length: count }, (_, index) => `line ${index}`).map((key) => (
          <div key={key} className={classes.skeleton}>
            <Skeleton height={16} width="45%" />
            <Skeleton height={12} width="70%" mt={10} />
          </div>
        ))}
      </div>
      <VisuallyHidden role="status">Loading…</VisuallyHidden>
    </>
  );
}
