import { parentQuestionOf } from '@interview-prep/contracts/recording/asked-questions';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import type { NewReview } from '@interview-prep/contracts/recording/reviews';
import { Box, Button, Group } from '@mantine/core';
import { IconFileUnknown } from '@tabler/icons-react';
import { Link, useParams } from 'react-router-dom';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { PartFailure } from '../../../components/part-failure.tsx';
import { SharedPlaybackProvider } from '../../../components/player/shared-playback.tsx';
import { Screen } from '../../../components/screen.tsx';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { paths } from '../../../lib/paths.ts';
import { questionName } from '../../../lib/question-name.ts';
import { useFailureToast } from '../../../lib/use-failure-toast.ts';
import { useQueuePlace } from '../review/review-queue.ts';
import { useReviewAnswerMutation } from '../review/reviews-api.ts';
import { sessionKinds } from '../session-kinds.ts';
import type { SessionDetail } from '../session-types.ts';
import { ShareSession } from '../share/share-session.tsx';
import { SessionSummary } from '../summary/session-summary.tsx';
import { AnswerSteps } from './answer-steps.tsx';
import { DeleteAnswer, DeleteSession } from './delete-button.tsx';
import { DetailSkeleton } from './detail-skeleton.tsx';
import { ExportSession } from './export-session.tsx';
import { RecordingCard } from './recording-card.tsx';
import { SessionDays } from './session-days.tsx';
import { BackLink, SessionHeader } from './session-header.tsx';
import { useFolds } from './use-folds.ts';
import { useSessionDetail } from './use-session-detail.ts';

/** Unknown, or not a valid id. */
const isNotFound = ({ status }: ApiError) => status === 404 || status === 400;

/**
 * Where a question is answered again: in the set that it is from. Undefined in practice, and for a follow-up question, which
 * is asked once.
 */
function recordAgainPath(detail: SessionDetail, questionId: number): string | undefined {
  const { interviewSetId, sources } = detail;
  if (parentQuestionOf(detail, questionId) !== undefined) return undefined;
  const source = sources?.[questionId];
  if (source) return paths.interview(source.setId, { questions: [source.questionId] });
  return interviewSetId && paths.interview(interviewSetId, { questions: [questionId] });
}

/** Whether a question has a follow-up question that was answered. */
const isFollowed = ({ followUps = [], recordings }: SessionDetail, questionId: number): boolean =>
  followUps.some(
    (one) => one.parentQuestionId === questionId && recordings.some((each) => each.questionId === one.questionId),
  );

interface DetailScreenProps {
  kind: SessionKind;
  /** From the address; '' if missing. */
  id: string;
}

/** An interview or a practice session: its header, and a card for each recording, by day. */
function DetailScreen({ kind, id }: DetailScreenProps) {
  const { messages, detailHeading, listPath, heading } = sessionKinds[kind];
  const session = useSessionDetail(kind, id);
  const { detail } = session;
  const error = detail ? undefined : session.error;
  const failure = session.error && {
    message: session.error.message,
    onRetry: session.refetch,
    retrying: session.isFetching,
  };
  const notThere = id === '' ? messages.missingId : error && isNotFound(error) ? messages.notFound : null;
  const [saveReview] = useReviewAnswerMutation();
  const review = (recordingId: string, body: NewReview, version?: string) =>
    saveReview({ recordingId, detailId: id, body, version }).unwrap();
  const folds = useFolds(detail, kind);
  const queue = useQueuePlace();
  usePageTitle(detail ? `${detail.title || detailHeading} · ${heading}` : undefined);
  useFailureToast(error, notThere ?? messages.detailFailed);

  if (notThere !== null) {
    return (
      <Screen title={detailHeading}>
        <Notice
          alert
          icon={<IconFileUnknown size={32} stroke={1.5} />}
          title={notThere}
          action={
            <Button component={Link} to={listPath}>
              Go to {heading}
            </Button>
          }
        >
          The link may be out of date, or you may not have access.
        </Notice>
      </Screen>
    );
  }
  if (error && failure) {
    return (
      <Screen title={detailHeading}>
        <BackLink to={listPath}>{heading}</BackLink>
        <LoadFailure {...failure} />
      </Screen>
    );
  }
  if (!detail) return <DetailSkeleton />;
  return (
    <Screen>
      <SessionHeader kind={kind} detail={detail} />
      {failure && <PartFailure mb="lg" {...failure} />}
      <SharedPlaybackProvider>
        {kind === 'interview' && (
          <SessionSummary detail={detail} own={session.own} renewMedia={session.renewMedia} short={folds.openAtFirst} />
        )}
        <SessionDays detail={detail}>
          {(recording) => (
            <RecordingCard
              key={recording._id}
              kind={kind}
              detailId={id}
              recording={recording}
              name={questionName(detail, recording.questionId)}
              question={detail.questions[recording.questionId]}
              source={detail.sources?.[recording.questionId]?.title}
              recordAgainPath={recordAgainPath(detail, recording.questionId)}
              setAnswer={detail.answers?.[recording.questionId]}
              live={session.live[recording._id]}
              own={session.own}
              feedbackHidden={session.feedbackHidden}
              opened={folds.isOpen(recording.questionId)}
              onToggle={() => folds.toggle(recording.questionId)}
              // The form of an answer from the queue takes the focus.
              visit={queue?.recordingId === recording._id ? null : folds.visitOf(recording.questionId)}
              queue={queue?.recordingId === recording._id ? queue : undefined}
              mayReprocess={session.mayReprocess}
              onReview={session.mayReview ? review : undefined}
              seesUsage={session.seesUsage}
              renewMedia={session.renewMedia}
              actions={
                session.mayDelete && (
                  <DeleteAnswer
                    kind={kind}
                    recordingId={recording._id}
                    detailId={id}
                    name={questionName(detail, recording.questionId)}
                    hasFollowUp={isFollowed(detail, recording.questionId)}
                  />
                )
              }
            />
          )}
        </SessionDays>
      </SharedPlaybackProvider>
      <Box mt="lg" data-no-print>
        <Group gap={4}>
          <ExportSession detail={detail} />
          {kind === 'interview' && session.own && !session.feedbackHidden && <ShareSession sessionId={detail._id} />}
          {session.mayDelete && <DeleteSession kind={kind} detail={detail} />}
        </Group>
      </Box>
      <AnswerSteps />
    </Screen>
  );
}

/** /interviews/{interviewId} */
export function InterviewDetailScreen() {
  const id = useParams().interviewId?.trim() ?? '';
  return <DetailScreen key={id} kind="interview" id={id} />;
}

/** /practiceInterviews/{practiceId} */
export function PracticeDetailScreen() {
  const id = useParams().practiceId?.trim() ?? '';
  return <DetailScreen key={id} kind="practice" id={id} />;
}
