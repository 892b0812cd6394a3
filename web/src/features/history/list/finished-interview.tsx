import { Anchor, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { SharedPlaybackProvider } from '../../../components/player/shared-playback.tsx';
import { paths } from '../../../lib/paths.ts';
import { useSessionDetail } from '../detail/use-session-detail.ts';
import { SessionSummary } from '../summary/session-summary.tsx';
import classes from './finished-interview.module.css';

/** The history may learn of a first answer a moment after its upload. */
const retryMs = 1000;
const retriesMax = 10;

/** The summary of the interview that was just finished. It fills in while the answers are judged. */
export function FinishedInterview({ id }: { id: string }) {
  const { detail, error, isFetching, refetch, own, renewMedia } = useSessionDetail('interview', id);
  const retries = useRef(0);
  const isMissing = error !== undefined && !isFetching;
  useEffect(() => {
    if (!isMissing || retries.current >= retriesMax) return;
    const timer = setTimeout(() => {
      retries.current += 1;
      void refetch();
    }, retryMs);
    return () => clearTimeout(timer);
  }, [isMissing, refetch]);

  if (!detail) return null;
  return (
    <section className={classes.finished} aria-label="The interview you finished">
      <div className={classes.head}>
        <Title order={2}>{detail.title}</Title>
        <Anchor component={Link} to={paths.interviewDetail(id)} size="sm">
          See every answer
        </Anchor>
      </div>
      <SharedPlaybackProvider>
        <SessionSummary detail={detail} own={own} detailPath={paths.interviewDetail(id)} renewMedia={renewMedia} />
      </SharedPlaybackProvider>
    </section>
  );
}
