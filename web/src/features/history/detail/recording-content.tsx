import { expertAnswerMissing, expertAnswerText } from '@interview-prep/contracts/catalog/expert-sentence';
import { mediaDeletionText } from '@interview-prep/contracts/recording/media-deletion';
import type { AssessmentUsage, LiveStatus, SessionKind } from '@interview-prep/contracts/recording/recordings';
import type { NewReview } from '@interview-prep/contracts/recording/reviews';
import type { SharedParts } from '@interview-prep/contracts/recording/shares';
import { webVtt } from '@interview-prep/contracts/recording/web-vtt';
import { Anchor, Box, Button, Group, Text, UnstyledButton } from '@mantine/core';
import { IconBadgeCc, IconBulb, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { MarkedText } from '../../../components/marked-text.tsx';
import { mediaKind } from '../../../components/player/media-kind.ts';
import { RecordingPlayer } from '../../../components/player/recording-player.tsx';
import { usePlayback } from '../../../components/player/use-playback.ts';
import { saveFile } from '../../../lib/files.ts';
import { paths } from '../../../lib/paths.ts';
import { CorrectTranscript } from '../correction/correct-transcript.tsx';
import { TranscriptEdits } from '../correction/transcript-edits.tsx';
import { DeliveryPanel } from '../delivery/delivery-panel.tsx';
import { RequestReview } from '../review/request-review.tsx';
import { ReviewForm } from '../review/review-form.tsx';
import { GuestFeedbackNote, ReviewNote } from '../review/review-note.tsx';
import type { QueuePlace } from '../review/review-queue.ts';
import type { SessionRecording } from '../session-types.ts';
import foldedAnswerClasses from './folded-answer.module.css';
import { JudgeNote, OutcomeNote } from './outcome-note.tsx';
import { Points } from './points.tsx';
import { engineLine, recordingOutcome } from './recording-outcome.ts';
import { isPending, stageSteps } from './stage-progress.ts';
import { Stages } from './stages.tsx';
import { TranscriptPanel } from './transcript-panel.tsx';

const count = new Intl.NumberFormat('en-US');
const smallestShownUsd = 0.0001;
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });

/** A chat model's usage: '1,834 tokens, $0.0042'; without the cost if no prices are set. */
export function usageLine({ promptTokens, completionTokens, costUsd }: AssessmentUsage): string {
  const tokens = `${count.format(promptTokens + completionTokens)} tokens`;
  if (costUsd === null) return tokens;
  const isTiny = costUsd > 0 && costUsd < smallestShownUsd;
  return `${tokens}, ${isTiny ? `less than ${dollars.format(smallestShownUsd)}` : dollars.format(costUsd)}`;
}

/** Saves an answer's transcript as WebVTT captions; hidden if its words have no times. */
function SaveCaptions({ recording: { transcription, questionId, take } }: { recording: SessionRecording }) {
  const words = transcription.words ?? [];
  if (words.length === 0) return null;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      leftSection={<IconBadgeCc size={14} aria-hidden />}
      onClick={() => saveFile(`question-${questionId + 1}-take-${take}.vtt`, webVtt(words), 'text/vtt')}
    >
      Save captions (WebVTT)
    </Button>
  );
}

/** An answer to compare with, collapsed by default; or a note that there is none. */
function FoldedAnswer({ title, text }: { title: string; text: string }) {
  const [opened, setOpened] = useState(false);
  const id = useId();
  if (text === expertAnswerMissing) {
    return (
      <p className={foldedAnswerClasses.missing}>
        <IconBulb size={18} stroke={1.5} aria-hidden />
        <span>
          <Box component="span" mr="xs" fw={600}>
            {title}
          </Box>
          {expertAnswerMissing}
        </span>
      </p>
    );
  }
  return (
    <Box bd="1px solid var(--border)" bdrs="md">
      <UnstyledButton
        className={foldedAnswerClasses.toggle ?? ''}
        aria-expanded={opened}
        aria-controls={id}
        onClick={() => setOpened(!opened)}
      >
        <IconBulb size={18} stroke={1.5} aria-hidden />
        <span>{title}</span>
        <IconChevronRight
          size={18}
          stroke={1.75}
          aria-hidden
          className={foldedAnswerClasses.chevron}
          data-opened={opened}
        />
      </UnstyledButton>
      <div id={id} hidden={!opened} className={foldedAnswerClasses.answer}>
        <MarkedText>{text}</MarkedText>
      </div>
    </Box>
  );
}

export interface RecordingContentProps {
  kind: SessionKind;
  /** The id that the detail was requested with; '' for a shared one. */
  detailId: string;
  recording: SessionRecording;
  /** The question's label: 'Question 2'. */
  name: string;
  question: string | undefined;
  /** The practice set's answer to the question. */
  setAnswer: string | undefined;
  live: LiveStatus | undefined;
  /** Whether the reader is the one who answered. */
  own: boolean;
  /** Whether an assignment's verdicts and expert answers are still hidden. */
  feedbackHidden?: boolean | undefined;
  mayReprocess: boolean;
  /** Saves the reader's own verdict, or a guest's feedback; absent if they may not give one. */
  onReview?: ((recordingId: string, body: NewReview, version?: string) => Promise<unknown>) | undefined;
  /** The review queue position that the answer was opened from. */
  queue?: QueuePlace | undefined;
  /** The path for answering the question again; absent in practice. */
  recordAgainPath?: string | undefined;
  /** Whether to show the verdict's token usage and cost. */
  seesUsage: boolean;
  renewMedia: (recordingId: string) => Promise<string>;
  /** The parts of the answer to show; all if absent. */
  shows?: SharedParts | undefined;
  /** The reader's actions on the answer, shown at its end. */
  actions?: ReactNode;
}

const everything: SharedParts = { media: true, transcript: true, verdicts: true };

const suggestedAnswerTitles: Record<SessionKind, string> = {
  interview: 'Expert Suggested Answer',
  practice: 'Suggested Answer',
};

/** The expanded content of an answer's card: recording, transcript, points, expert answer. */
export function RecordingContent(props: RecordingContentProps) {
  const { kind, recording, live, onReview, shows = everything } = props;
  const { _id, transcription, assessment, questionId, mediaDeletion } = recording;
  // Interviews are audio only, whatever the container.
  const player = kind === 'interview' ? 'audio' : mediaKind(recording.mediaType);
  const url = player === 'unsupported' ? '' : recording.audioUrl;
  const playback = usePlayback(url, recording.durationMs, () => props.renewMedia(_id));
  const label = `answer to ${props.name.replace(/^Q/, 'q')}`;
  const outcome = recordingOutcome(kind, recording, props.own);
  const engines = engineLine(recording);
  const expertAnswer = kind === 'interview' ? recording.chatGPTResponse : props.setAnswer;
  const answered = { recordingId: _id, detailId: props.detailId };
  // A reviewer's verdict is final.
  const mayCorrect = props.own && !props.feedbackHidden && !isPending(recording) && !assessment?.review;
  const mayAppeal =
    mayCorrect &&
    kind === 'interview' &&
    assessment !== undefined &&
    !assessment.appeal &&
    transcription.status === 'completed';

  return (
    <>
      {shows.media && (
        <RecordingPlayer
          playback={playback}
          kind={player}
          label={label}
          peaks={recording.peaks}
          goneReason={mediaDeletion && mediaDeletionText(mediaDeletion)}
        />
      )}
      <DeliveryPanel recording={recording} />
      {isPending(recording) && (
        <Stages
          steps={stageSteps(kind, recording, live)}
          estimate={recording.transcription.status === 'pending' ? live?.estimate : undefined}
        />
      )}
      {shows.transcript && (
        <section>
          <Box component="h4" m="0 0 2px" c="dimmed" fz="xs" fw={600}>
            Transcription
          </Box>
          <TranscriptPanel
            transcription={transcription}
            heard={live?.progress?.text}
            playback={playback}
            fillers={recording.delivery?.fillers}
            label={label}
            own={props.own}
          />
          <TranscriptEdits transcription={transcription} own={props.own} reviewed={assessment?.review !== undefined} />
          {mayCorrect && transcription.status === 'completed' && transcription.text !== '' && (
            <CorrectTranscript {...answered} kind={kind} transcription={transcription} />
          )}
        </section>
      )}
      {outcome && shows.verdicts && (
        <OutcomeNote
          outcome={outcome}
          {...answered}
          kind={kind}
          mayReprocess={props.mayReprocess}
          recordAgainPath={props.own ? props.recordAgainPath : undefined}
        />
      )}
      <Points
        recording={recording}
        playback={playback}
        own={props.own}
        claims={mayCorrect ? answered : undefined}
        appeals={mayAppeal ? answered : undefined}
      />
      {assessment && <ReviewNote assessment={assessment} playback={playback} own={props.own} />}
      {recording.guestFeedback?.map((feedback) => (
        <GuestFeedbackNote key={`${feedback.shareId} ${feedback.createdAt}`} feedback={feedback} playback={playback} />
      ))}
      {shows.verdicts && !props.feedbackHidden && (kind === 'interview' || expertAnswer) && (
        <FoldedAnswer title={suggestedAnswerTitles[kind]} text={expertAnswerText(expertAnswer)} />
      )}
      <Group gap="xs">
        {kind === 'interview' && assessment && !isPending(recording) && (
          <>
            {mayAppeal && <RequestReview {...answered} />}
            {onReview && (
              <ReviewForm
                key={props.queue?.visit}
                queue={props.queue}
                recording={recording}
                onSave={(...review) => onReview(_id, ...review)}
                playback={playback}
                guest={props.shows !== undefined}
              />
            )}
          </>
        )}
        {/* Takes of other sessions are private practice, hidden from coaches. */}
        {kind === 'interview' && props.detailId !== '' && (props.own || !onReview || props.seesUsage) && (
          <Anchor component={Link} to={paths.takes(props.detailId, questionId + 1)} size="sm" data-no-print>
            All takes of this question
          </Anchor>
        )}
        <SaveCaptions recording={recording} />
        {props.actions}
      </Group>
      <div>
        <JudgeNote recording={recording} {...answered} kind={kind} mayReprocess={props.mayReprocess} />
        {engines && (
          <Text c="dimmed" size="xs">
            {engines}
          </Text>
        )}
        {props.seesUsage && assessment?.usage && (
          <Text c="dimmed" size="xs">
            Judging used {usageLine(assessment.usage)}
          </Text>
        )}
      </div>
    </>
  );
}
