import type { NewReview } from '@interview-prep/contracts/recording/reviews';
import { Badge, Box, Text, Title } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { useLocation } from 'react-router-dom';
import { BrandLink } from '../../../components/brand-link.tsx';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { SharedPlaybackProvider } from '../../../components/player/shared-playback.tsx';
import { Screen } from '../../../components/screen.tsx';
import { type ApiError, isNotFound } from '../../../lib/api/api-error.ts';
import { detailDate } from '../../../lib/formats.ts';
import { byQuestion, questionName } from '../../../lib/question-name.ts';
import { DetailSkeleton } from '../detail/detail-skeleton.tsx';
import { RecordingCard } from '../detail/recording-card.tsx';
import { useFolds } from '../detail/use-folds.ts';
import { questionOutcomes } from '../summary/question-outcomes.ts';
import { ScoreLine } from '../summary/session-summary.tsx';
import { useReviewSharedMutation, useSharedInterviewQuery } from './shares-api.ts';

/** /shared#TOKEN: the page behind a share link, for people without an account. */
export default function SharedScreen() {
  const token = useLocation().hash.slice(1);
  return (
    <>
      <Box maw="var(--content-width)" mx="auto" px={{ base: 16, sm: 24 }} pt={{ base: 20, sm: 32 }}>
        <BrandLink />
      </Box>
      <SharedInterviewView key={token} token={token} />
    </>
  );
}

const heading = 'Shared interview';

/** A shared interview, to view or to review. */
function SharedInterviewView({ token }: { token: string }) {
  const { data, error, refetch, isFetching } = useSharedInterviewQuery(
    { token },
    { skip: token === '', refetchOnMountOrArgChange: true },
  );
  const [review] = useReviewSharedMutation();
  const folds = useFolds(data, 'interview');
  const failure = error as ApiError | undefined;
  if (token === '' || isNotFound(error)) {
    return (
      <Screen title={heading}>
        <Notice alert icon={<IconLinkOff size={32} stroke={1.5} />} title="This link no longer works">
          It may have expired or been revoked. Ask the person who shared it for a new one.
        </Notice>
      </Screen>
    );
  }
  if (!data) {
    if (!failure) return <DetailSkeleton />;
    return (
      <Screen title={heading}>
        <LoadFailure message={failure.message} onRetry={refetch} retrying={isFetching} />
      </Screen>
    );
  }
  const { title, technology, createdAt, questions, recordings, role, expiresAt } = data;
  const renewMedia = async (recordingId: string) => {
    const { data: fresh } = await refetch();
    return fresh?.recordings.find(({ _id }) => _id === recordingId)?.audioUrl ?? '';
  };
  const onReview = (recordingId: string, body: NewReview) => review({ token, id: recordingId, ...body }).unwrap();
  return (
    <Screen title={title || heading} lead={`Recorded ${detailDate(createdAt)}`}>
      <Box mb="lg">
        <Badge variant="light" radius="sm" tt="none">
          {technology}
        </Badge>
        <Text size="sm" c="dimmed" mt="xs">
          {role === 'review' && 'You can leave feedback on each answer. It does not change the score. '}
          This link expires on {detailDate(expiresAt)}.
        </Text>
      </Box>
      {recordings.length === 0 && <Notice title="Nothing to see yet">No question has been answered.</Notice>}
      <SharedPlaybackProvider>
        {data.shows.verdicts && recordings.length > 0 && (
          <section aria-label="Summary">
            <ScoreLine outcomes={questionOutcomes(data, false)} recordings={recordings} />
          </section>
        )}
        <Title order={2} size="h3" mb="sm">
          Answers
        </Title>
        {recordings.toSorted(byQuestion(data)).map((recording) => (
          <RecordingCard
            key={recording._id}
            kind="interview"
            detailId=""
            recording={recording}
            name={questionName(data, recording.questionId)}
            question={questions[recording.questionId]}
            setAnswer={undefined}
            live={undefined}
            own={false}
            opened={folds.isOpen(recording.questionId)}
            onToggle={() => folds.toggle(recording.questionId)}
            visit={folds.visitOf(recording.questionId)}
            mayReprocess={false}
            seesUsage={false}
            shows={data.shows}
            renewMedia={renewMedia}
            onReview={role === 'review' ? onReview : undefined}
          />
        ))}
      </SharedPlaybackProvider>
    </Screen>
  );
}
