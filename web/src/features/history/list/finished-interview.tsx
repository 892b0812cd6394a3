import { Anchor, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { SharedPlaybackProvider } from '../../../components/player/shared-playback.tsx';
import { paths } from '../../../lib/paths.ts';
import { useSessionDetail } from '../detail/use-session-detail.ts';
import { SessionSummary } from '../summary/session-summary.tsx';
import classes from './finished-interview.module.css';

/** The summary of the interview that was just finished. It fills in while the answers are judged. */
export function FinishedInterview({ id }: { id: string }) {
  const { detail, own, renewMedia } = useSessionDetail('interview', id);
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
