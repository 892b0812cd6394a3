import { pointStateNames, stateOf } from '@interview-prep/contracts/point-states';
import { PointState } from '@interview-prep/contracts/recordings';
import { type NewReview, reviewTextMaxLength } from '@interview-prep/contracts/reviews';
import type { ReviewComment } from '@interview-prep/contracts/verdict-review';
import { Button, Group, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { IconGavel } from '@tabler/icons-react';
import { useState } from 'react';
import type { Playback } from '../../../components/player/use-playback.ts';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { minutesSeconds } from '../../../lib/formats.ts';
import { toast } from '../../../lib/toasts.ts';
import type { SessionRecording } from '../session-types.ts';
import classes from './review.module.css';

interface ReviewFormProps {
  recording: SessionRecording;
  /** Rejects with the error of the call. */
  onSave: (body: NewReview) => Promise<unknown>;
  playback: Playback;
}

const states = PointState.options.map((value) => ({ value, label: pointStateNames[value] }));

/** Lets an admin or a reviewer judge an answer: each point or the whole, with a reason, and comments at moments of the recording. */
export function ReviewForm(props: ReviewFormProps) {
  const [opened, setOpened] = useState(false);
  const { review } = props.recording.assessment ?? {};
  if (!opened) {
    return (
      <Button
        variant="default"
        size="xs"
        leftSection={<IconGavel size={14} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {review ? 'Change your verdict' : 'Give a verdict'}
      </Button>
    );
  }
  return <OpenForm {...props} onClose={() => setOpened(false)} />;
}

function OpenForm({ recording, onSave, playback, onClose }: ReviewFormProps & { onClose: () => void }) {
  const { assessment } = recording;
  const points = assessment?.points ?? [];
  const [changed, setChanged] = useState<Readonly<Record<number, PointState>>>(
    Object.fromEntries(points.flatMap((point, at) => (point.review ? [[at, stateOf(point)]] : []))),
  );
  const [percentage, setPercentage] = useState<number | ''>('');
  const [reason, setReason] = useState(assessment?.review?.reason ?? '');
  const [comments, setComments] = useState<readonly ReviewComment[]>(assessment?.review?.comments ?? []);
  const [isLoading, setIsLoading] = useState(false);

  const send = async () => {
    const body = {
      correctnessPercentage: percentage === '' ? null : percentage,
      points: Object.entries(changed).map(([at, state]) => ({ point: Number(at), state, reason: '' })),
      reason: reason.trim(),
      comments: comments.filter(({ text }) => text.trim() !== ''),
    };
    setIsLoading(true);
    try {
      await onSave(body);
      toast.success('Your verdict is saved');
      onClose();
    } catch (error) {
      toast.error(errorMessage(error, 'Failed to save your verdict'));
      setIsLoading(false);
    }
  };
  const setComment = (index: number, text: string) =>
    setComments(comments.map((comment, at) => (at === index ? { ...comment, text } : comment)));

  return (
    <section className={classes.form} aria-label="Your verdict">
      <h4>Your verdict</h4>
      {points.map((point, at) => (
        <NativeSelect
          // The points of a verdict never change places.
          // biome-ignore lint/suspicious/noArrayIndexKey: an expert answer may make the same point twice.
          key={at}
          label={point.text.replaceAll('`', '')}
          data={states}
          value={changed[at] ?? stateOf(point)}
          onChange={(event) => setChanged({ ...changed, [at]: event.currentTarget.value as PointState })}
        />
      ))}
      <NumberInput
        label="Percentage of the whole answer"
        description={points.length > 0 ? 'Leave it empty to add up the points.' : undefined}
        min={0}
        max={100}
        allowDecimal={false}
        suffix=" %"
        value={percentage}
        onChange={(value) => setPercentage(typeof value === 'number' ? value : '')}
      />
      <Textarea
        label="Why"
        description="The candidate reads this."
        required
        autosize
        minRows={2}
        maxLength={reviewTextMaxLength}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {comments.map(({ atMs, text }, index) => (
        <TextInput
          // biome-ignore lint/suspicious/noArrayIndexKey: comments keep their places while they are written.
          key={index}
          size="sm"
          label={`Comment at ${minutesSeconds(atMs / 1000)}`}
          maxLength={reviewTextMaxLength}
          value={text}
          onChange={(event) => setComment(index, event.currentTarget.value)}
        />
      ))}
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          onClick={() => setComments([...comments, { atMs: Math.round(playback.clock.read()), text: '' }])}
        >
          Comment at this moment of the recording
        </Button>
      </Group>
      <Group gap="xs">
        <Button
          size="xs"
          loading={isLoading}
          disabled={reason.trim() === '' || (points.length === 0 && percentage === '')}
          onClick={send}
        >
          Save verdict
        </Button>
        <Button size="xs" variant="default" disabled={isLoading} onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </section>
  );
}
