import { Anchor } from '@mantine/core';
import { useEffect } from 'react';
import { matchPath, useLocation, useNavigate } from 'react-router-dom';
import { type AwaitedSession, resultsSeen } from '../../../lib/live/awaited-sessions.ts';
import { useLiveRecordings } from '../../../lib/live/live-recordings-api.ts';
import { paths } from '../../../lib/paths.ts';
import { useAppDispatch } from '../../../lib/state/state-hooks.ts';
import { toast } from '../../../lib/toasts.ts';
import { isPending } from '../detail/stage-progress.ts';
import { useSessionDetailQuery } from '../history-api.ts';
import { sessionKinds } from '../session-kinds.ts';

const results = { interview: 'scored', practice: 'transcribed' } as const;
/** Notices are suppressed here, since they would disturb an answer. */
const recorderPaths = [paths.interview(':id'), paths.practiceSession(':id')];

function ResultsNotice({ session }: { session: AwaitedSession }) {
  const { kind, id, title, recordingIds } = session;
  const { listPath, detailPath } = sessionKinds[kind];
  useLiveRecordings(true);
  const { data: detail } = useSessionDetailQuery({ kind, id });
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const dispatch = useAppDispatch();

  const isReady = Object.values(recordingIds).every((recordingId) => {
    const recording = detail?.recordings.find(({ _id }) => _id === recordingId);
    return recording !== undefined && !isPending(recording);
  });
  const isRecording = recorderPaths.some((path) => matchPath(path, pathname));
  const isShown = pathname === listPath || pathname === detailPath(id);
  useEffect(() => {
    if (!isReady || isRecording) return;
    dispatch(resultsSeen(id));
    if (isShown) return;
    const open = () => {
      toast.dismiss(id);
      void navigate(detailPath(id));
    };
    toast.info(
      <>
        {title} has been {results[kind]}.{' '}
        <Anchor component="button" size="sm" onClick={open}>
          See the results
        </Anchor>
      </>,
      { id },
    );
  }, [isReady, isRecording, isShown, id, kind, title, detailPath, dispatch, navigate]);
  return null;
}

/** Notifies candidates elsewhere in the app when their answers have results. */
export default function ResultsNotices({ sessions }: { sessions: readonly AwaitedSession[] }) {
  return sessions.map((session) => <ResultsNotice key={session.id} session={session} />);
}
