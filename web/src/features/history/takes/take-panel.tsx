import type { QuestionTake } from '@interview-prep/contracts/history/history';
import { mediaDeletionText } from '@interview-prep/contracts/recording/media-deletion';
import { transcriptionText } from '@interview-prep/contracts/recording/transcription-text';
import { Anchor, Box, Group, Text, Title } from '@mantine/core';
import { diffWords } from 'diff';
import { Link } from 'react-router-dom';
import { RecordingPlayer } from '../../../components/player/recording-player.tsx';
import { usePlayback } from '../../../components/player/use-playback.ts';
import { paths } from '../../../lib/paths.ts';
import { EditMark } from '../correction/transcript-edits.tsx';
import { VerdictBadge } from '../detail/verdict-badge.tsx';
import classes from './takes-comparison.module.css';

/** Diffing is quadratic in the number of edits. Takes with less in common are shown without highlights. */
const editsMax = 4000;

interface TakePanelProps {
  take: QuestionTake;
  /** The take's number among all takes from 1, oldest first. */
  number: number;
  /** The take to highlight the differences from. */
  before?: QuestionTake | undefined;
  renewMedia: (recordingId: string) => Promise<string>;
}

/** One of the two takes: player and transcript. */
export function TakePanel({ take, number, before, renewMedia }: TakePanelProps) {
  const playback = usePlayback(take.audioUrl, take.durationMs, () => renewMedia(take._id));
  const { text } = take.transcription;
  const parts =
    before && text
      ? (diffWords(before.transcription.text, text, { ignoreCase: true, maxEditLength: editsMax })?.filter(
          ({ removed }) => !removed,
        ) ?? [{ value: text, added: false }])
      : [{ value: transcriptionText(take.transcription), added: false }];
  return (
    <article className={classes.panel} aria-label={`Take ${number}`}>
      <Group gap="4px 12px" justify="space-between">
        <Title order={2} size="h3">
          Take {number}
        </Title>
        <EditMark recording={take} />
        <VerdictBadge recording={take} range={take.assessment.range} review={take.assessment.review} />
      </Group>
      <Anchor component={Link} to={paths.interviewDetail(take.interviewId)} size="sm">
        {take.title}
      </Anchor>
      <RecordingPlayer
        playback={playback}
        kind="audio"
        label={`take ${number}`}
        peaks={take.peaks}
        goneReason={take.mediaDeletion && mediaDeletionText(take.mediaDeletion)}
      />
      <Box component="p" m={0} lh={1.7}>
        {parts.map(({ value, added }, index) => {
          // Parts may repeat, so the index is the key.
          const key = `${index}`;
          return added ? (
            <mark key={key} className={classes.new}>
              {value}
            </mark>
          ) : (
            <span key={key}>{value}</span>
          );
        })}
      </Box>
      {parts.some(({ added }) => added) && (
        <Text mt={6} c="dimmed" size="xs">
          Highlighted words don't appear in the other take.
        </Text>
      )}
    </article>
  );
}
