import type { LiveStatus, SessionKind } from '@interview-prep/contracts/recording/recordings';
import { editStateOf } from '@interview-prep/contracts/recording/transcription-text';
import { Badge, Box, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useEffect, useId, useRef } from 'react';
import { MarkedText } from '../../../components/marked-text.tsx';
import { exactTime } from '../../../lib/formats.ts';
import { questionHash } from '../../../lib/paths.ts';
import { EditMark } from '../correction/transcript-edits.tsx';
import type { SessionRecording } from '../session-types.ts';
import classes from './recording-card.module.css';
import { RecordingContent, type RecordingContentProps } from './recording-content.tsx';
import { isPending, stageSteps } from './stage-progress.ts';
import { VerdictBadge } from './verdict-badge.tsx';

interface FoldingCardProps extends RecordingContentProps {
  opened: boolean;
  onToggle: () => void;
  /** The question's set, in a session with several. */
  source?: string | undefined;
  /** Changes whenever the URL points to this card; null while it points to another. */
  visit: string | null;
}

/** One answer: question and verdict, expandable to recording, transcript, points and expert answer. */
export function RecordingCard({ opened, onToggle, source, visit, ...props }: FoldingCardProps) {
  const { kind, recording, question, live, shows, name } = props;
  const { questionId } = recording;
  const contentId = useId();
  const isEdited = editStateOf(recording) !== null;
  const toggle = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (visit === null) return;
    toggle.current?.focus({ preventScroll: true });
    toggle.current?.closest('article')?.scrollIntoView({ block: 'start' });
  }, [visit]);

  return (
    <article id={questionHash(questionId).slice(1)} className={classes.card} aria-label={name}>
      <h3 className={classes.heading}>
        <UnstyledButton
          ref={toggle}
          className={classes.head ?? ''}
          aria-expanded={opened}
          aria-controls={contentId}
          onClick={onToggle}
        >
          <IconChevronRight size={18} stroke={1.75} aria-hidden className={classes.chevron} data-opened={opened} />
          <Box component="span" flex={1} miw={0}>
            <span className={classes.number}>
              {name}
              {source && ` · from ${source}`}
              {isEdited && ' · '}
              <EditMark recording={recording} />
            </span>
            {question && (
              <span className={classes.question} data-opened={opened}>
                <MarkedText>{question}</MarkedText>
              </span>
            )}
          </Box>
          {recording.take > 1 && (
            <Badge
              component="span"
              variant="default"
              tt="none"
              fw={500}
              title={`Recorded ${exactTime(recording.createdAt)}`}
            >
              Take {recording.take}
            </Badge>
          )}
          {(!shows || shows.verdicts) && (
            <span className={classes.verdict}>
              {isPending(recording) && !opened ? (
                stageNow(kind, recording, live)
              ) : (
                <VerdictBadge
                  recording={recording}
                  range={recording.assessment?.range}
                  review={recording.assessment?.review}
                />
              )}
            </span>
          )}
        </UnstyledButton>
      </h3>
      <div id={contentId} className={classes.content} hidden={!opened}>
        {opened && <RecordingContent {...props} />}
      </div>
    </article>
  );
}

/** 'Transcribing 40%' */
function stageNow(kind: SessionKind, recording: SessionRecording, live: LiveStatus | undefined): string {
  const active = stageSteps(kind, recording, live).find(({ state }) => state === 'active');
  if (!active) return 'Almost done';
  return active.percent === undefined ? `${active.label}…` : `${active.label} ${active.percent}%`;
}
