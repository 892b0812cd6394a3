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
  /** Whether a guest with a link gives feedback, which does not count. */
  guest?: boolean | undefined;
}

const words = {
  verdict: {
    open: 'Give a verdict',
    change: 'Change your verdict',
    heading: 'Your verdict',
    reason: 'Why',
    saved: 'Your verdict is saved',
    failed: 'Failed to save your verdict',
    save: 'Save verdict',
  },
  feedback: {
    open: 'Give feedback',
    change: 'Change your feedback',
    heading: 'Your feedback',
    reason: 'Feedback',
    saved: 'Your feedback is saved',
    failed: 'Failed to save your feedback',
    save: 'Save feedback',
  },
} as const;

/** What the reader has said of the answer before. */
function earlierOf({ recording, guest }: Pick<ReviewFormProps, 'recording' | 'guest'>) {
  return guest ? recording.guestFeedback?.[0] : recording.assessment?.review;
}

const states = PointState.options.map((value) => ({ value, label: pointStateNames[value] }));

/** Lets an admin judge an answer, or a guest say what they think: each point or the whole, with a reason, and comments at moments of the recording. */
export function ReviewForm(props: ReviewFormProps) {
  const [opened, setOpened] = useState(false);
  const { open, change } = words[props.guest ? 'feedback' : 'verdict'];
  if (!opened) {
    return (
      <Button
        variant="default"
        size="xs"
        leftSection={<IconGavel size={14} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {earlierOf(props) ? change : open}
      </Button>
    );
  }
  return <OpenForm {...props} onClose={() => setOpened(false)} />;
}

function OpenForm({ recording, onSave, playback, guest, onClose }: ReviewFormProps & { onClose: () => void }) {
  const { assessment } = recording;
  const text = words[guest ? 'feedback' : 'verdict'];
  const earlier = earlierOf({ recording, guest });
  const points = assessment?.points ?? [];
  const [changed, setChanged] = useState<Readonly<Record<number, PointState>>>(
    Object.fromEntries(points.flatMap((point, at) => (point.review && !guest ? [[at, stateOf(point)]] : []))),
  );
  const [percentage, setPercentage] = useState<number | ''>('');
  const [reason, setReason] = useState(earlier?.reason ?? '');
  const [comments, setComments] = useState<readonly ReviewComment[]>(earlier?.comments ?? []);
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
      toast.success(text.saved);
      onClose();
    } catch (error) {
      toast.error(errorMessage(error, text.failed));
      setIsLoading(false);
    }
  };
  const setComment = (index: number, text: string) =>
    setComments(comments.map((comment, at) => (at === index ? { ...comment, text } : comment)));

  return (
    <section className={classes.form} aria-label={text.heading}>
      <h4>{text.heading}</h4>
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
        description={
          guest
            ? 'Optional. It does not change the score.'
            : points.length > 0 && 'Leave it empty to add up the points.'
        }
        min={0}
        max={100}
        allowDecimal={false}
        suffix=" %"
        value={percentage}
        onChange={(value) => setPercentage(typeof value === 'number' ? value : '')}
      />
      <Textarea
        label={text.reason}
        description="The candidate reads this."
        required
        autosize
        minRows={2}
        maxLength={reviewTextMaxLength}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {comments.map(({ atMs, text: said }, index) => (
        <TextInput
          // biome-ignore lint/suspicious/noArrayIndexKey: comments keep their places while they are written.
          key={index}
          size="sm"
          label={`Comment at ${minutesSeconds(atMs / 1000)}`}
          maxLength={reviewTextMaxLength}
          value={said}
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
          disabled={reason.trim() === '' || (!guest && points.length === 0 && percentage === '')}
          onClick={send}
        >
          {text.save}
        </Button>
        <Button size="xs" variant="default" disabled={isLoading} onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </section>
  );
}
