import type { Point } from '@interview-prep/contracts/recording/recordings';
import { Box } from '@mantine/core';
import { useState } from 'react';
import type { Playback } from '../../../components/player/use-playback.ts';
import { ClaimDialog } from '../correction/claim-dialog.tsx';
import type { OfAnswer } from '../history-api.ts';
import type { SessionRecording } from '../session-types.ts';
import { PointLine } from './point-line.tsx';
import { creditSum, orderPoints } from './point-text.tsx';
import classes from './points.module.css';

interface PointsProps {
  recording: SessionRecording;
  playback: Playback;
  /** Whether the reader is the one who answered. */
  own: boolean;
  /** The answer, if the reader may claim that a point was made. */
  claims?: OfAnswer | undefined;
  /** The answer, if the reader may request a human review. */
  appeals?: OfAnswer | undefined;
}

/** The expert's points by state, and the sum that makes the score. Renders nothing without points. */
export function Points({ recording, playback, own, claims, appeals }: PointsProps) {
  const [claimed, setClaimed] = useState<Point | null>(null);
  const { assessment, transcription, correctnessPercentage, chatGPTResponse } = recording;
  const points = assessment?.points ?? [];
  if (points.length === 0) return null;
  const words = transcription.words ?? [];
  const sum = creditSum(points, correctnessPercentage);
  return (
    <section>
      <Box component="h4" m="0 0 2px" c="dimmed" fz="xs" fw={600}>
        Points
      </Box>
      <ul className={classes.list}>
        {orderPoints(points).map((point, index, ordered) => (
          // An expert answer may repeat a point, so the index in the verdict is the key.
          <PointLine
            key={points.indexOf(point)}
            point={point}
            above={ordered[index - 1]?.text}
            expertAnswer={chatGPTResponse}
            words={words}
            playback={playback}
            own={own}
            onClaim={claims && words.length > 0 ? () => setClaimed(point) : undefined}
            appeals={appeals}
          />
        ))}
      </ul>
      {claims && claimed && (
        <ClaimDialog
          {...claims}
          index={points.indexOf(claimed)}
          text={claimed.text}
          words={words}
          onClose={() => setClaimed(null)}
        />
      )}
      {sum && (
        <p className={classes.sum}>
          The score is the sum of the points: <span className="tabular">{sum}</span>
        </p>
      )}
    </section>
  );
}
