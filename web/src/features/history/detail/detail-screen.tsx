import { parentQuestionOf } from '@interview-prep/contracts/recording/asked-questions';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import type { NewReview } from '@interview-prep/contracts/recording/reviews';
import { Anchor, Box, Button, Group, Menu, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconDownload, IconFileUnknown } from '@tabler/icons-react';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import { LoadFailure, PartFailure } from '../../../components/load-failure.tsx';
import { MarkedText } from '../../../components/marked-text.tsx';
import { Notice } from '../../../components/notice.tsx';
import { SharedPlaybackProvider } from '../../../components/player/shared-playback.tsx';
import { Screen } from '../../../components/screen.tsx';
import { answerTrailOf } from '../../../lib/answer-trail.ts';
import { isNotFound } from '../../../lib/api/api-error.ts';
import { datedName, fileSlug, saveFile } from '../../../lib/files.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { paths } from '../../../lib/paths.ts';
import { questionName } from '../../../lib/question-name.ts';
import { useFailureToast } from '../../../lib/toasts.ts';
import { useQueuePlace } from '../review/review-queue.ts';
import { useReviewAnswerMutation } from '../review/reviews-api.ts';
import { sessionKinds } from '../session-kinds.ts';
import type { SessionDetail } from '../session-types.ts';
import { ShareSession } from '../share/share-session.tsx';
import { SessionSummary } from '../summary/session-summary.tsx';
import classes from './answer-steps.module.css';
import { DeleteAnswer, DeleteSession } from './delete-button.tsx';
import { DetailSkeleton } from './detail-skeleton.tsx';
import { RecordingCard } from './recording-card.tsx';
import { SessionDays } from './session-days.tsx';
import { BackLink, SessionHeader } from './session-header.tsx';
import { useFolds } from './use-folds.ts';
import { useSessionDetail } from './use-session-detail.ts';

/**
 * The path for answering a question again, in its own set. Undefined in practice, and for follow-up questions, which are
 * asked only once.
 */
function recordAgainPath(detail: SessionDetail, questionId: number): string | undefined {
  const { interviewSetId, sources } = detail;
  if (parentQuestionOf(detail, questionId) !== undefined) return undefined;
  const source = sources?.[questionId];
  if (source) return paths.interview(source.setId, { questions: [source.questionId] });
  return interviewSetId && paths.interview(interviewSetId, { questions: [questionId] });
}

/** Whether a question has an answered follow-up question. */
const isFollowed = ({ followUps = [], recordings }: SessionDetail, questionId: number): boolean =>
  followUps.some(
    (one) => one.parentQuestionId === questionId && recordings.some((each) => each.questionId === one.questionId),
  );

interface DetailScreenProps {
  kind: SessionKind;
  /** From the URL; '' if missing. */
  id: string;
}

/** An interview or practice session: its header, and a card for each recording, by day. */
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
  const notThere = id === '' ? messages.missingId : isNotFound(error) ? messages.notFound : null;
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
              // When opened from the queue, the answer's form takes the focus.
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

export function InterviewDetailScreen() {
  const id = useParams().interviewId?.trim() ?? '';
  return <DetailScreen key={id} kind="interview" id={id} />;
}

export function PracticeDetailScreen() {
  const id = useParams().practiceId?.trim() ?? '';
  return <DetailScreen key={id} kind="practice" id={id} />;
}

/** Steps through many people's answers to one question, also by the keys N and Shift+N. */
function AnswerSteps() {
  const { pathname, hash, state } = useLocation();
  const navigate = useNavigate();
  const trail = answerTrailOf(state);
  const at = trail?.answers.findIndex(({ path }) => path === `${pathname}${hash}`) ?? -1;
  const step = (by: number) => {
    const next = trail?.answers[at + by];
    // Keeps the list one step back in the browser's history.
    if (at >= 0 && next) void navigate(next.path, { replace: true, state });
  };
  useHotkeys([
    ['n', () => step(1)],
    ['shift+N', () => step(-1)],
  ]);
  if (!trail || at < 0) return null;
  return (
    <aside className={classes.steps} aria-label="Answers to this question" data-no-print>
      <Box flex="1 1 200px" miw={0}>
        <Text size="sm" fw={600} role="status">
          {trail.answers[at]?.name}: {at + 1} of {trail.answers.length}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1}>
          <MarkedText>{trail.question}</MarkedText>
        </Text>
      </Box>
      <Group gap="xs" wrap="nowrap">
        <Anchor component={Link} to={trail.back} size="sm">
          All answers
        </Anchor>
        <Button size="xs" variant="default" disabled={at === 0} aria-keyshortcuts="Shift+N" onClick={() => step(-1)}>
          Previous (Shift N)
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={at === trail.answers.length - 1}
          aria-keyshortcuts="N"
          onClick={() => step(1)}
        >
          Next (N)
        </Button>
      </Group>
    </aside>
  );
}

/** A session as JSON, without media links, which expire with the sign-in. */
function sessionJson(detail: SessionDetail): string {
  const recordings = detail.recordings.map(({ audioUrl: _link, peaks: _peaks, ...recording }) => recording);
  return `${JSON.stringify({ ...detail, recordings }, null, 2)}\n`;
}

/** Prints a session, or saves it as a file. */
function ExportSession({ detail }: { detail: SessionDetail }) {
  return (
    <Menu width={240} withinPortal={false} position="top-start">
      <Menu.Target>
        <Button variant="subtle" color="gray" size="xs" leftSection={<IconDownload size={14} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => window.print()}>Print, or save as PDF</Menu.Item>
        <Menu.Item
          onClick={() =>
            saveFile(datedName(fileSlug(detail.title, 'session'), 'json'), sessionJson(detail), 'application/json')
          }
        >
          JSON
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
