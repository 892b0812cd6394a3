import { pointStateNames, stateOf } from '@interview-prep/contracts/recording/point-states';
import { type Point, PointState } from '@interview-prep/contracts/recording/recordings';
import { type NewReview, reviewTextMaxLength } from '@interview-prep/contracts/recording/reviews';
import type { ReviewComment } from '@interview-prep/contracts/recording/verdict-review';
import { Button, Group, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { IconGavel } from '@tabler/icons-react';
import { useState } from 'react';
import { useEditConflict } from '../../../components/edit-conflict.tsx';
import type { Playback } from '../../../components/player/use-playback.ts';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { minutesSeconds } from '../../../lib/formats.ts';
import { toast } from '../../../lib/toasts.ts';
import { creditSum, isUnsure } from '../detail/point-text.tsx';
import type { SessionRecording } from '../session-types.ts';
import classes from './review.module.css';

interface ReviewFormProps {
  recording: SessionRecording;
  /** Rejects with the error of the call. @param version the verdict that was reviewed */
  onSave: (body: NewReview, version?: string) => Promise<unknown>;
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

/** What a person decides about a point. */
interface Decision {
  state: PointState;
  /** Why, for the candidate. */
  reason: string;
}

/** What the reader has decided about points before, by their places. */
function earlierDecisions({
  recording,
  guest,
}: Pick<ReviewFormProps, 'recording' | 'guest'>): Readonly<Record<number, Decision>> {
  const decisions: Record<number, Decision> = {};
  for (const [at, point] of (recording.assessment?.points ?? []).entries()) {
    const decision = guest
      ? recording.guestFeedback?.[0]?.points.find(({ text }) => text === point.text)
      : point.review && { state: stateOf(point), reason: point.review.reason };
    if (decision) decisions[at] = { state: decision.state, reason: decision.reason };
  }
  return decisions;
}

const states = PointState.options.map((value) => ({ value, label: pointStateNames[value] }));

/** A point as the judge left it. */
const judged = (point: Point) => ({ ...point, ...point.review?.before });

/** What is chosen while nothing is decided: 'Not sure, best guess: Partly covered'. */
function undecided(point: Point) {
  const name = pointStateNames[stateOf(judged(point))];
  return { value: '', label: isUnsure(judged(point)) ? `Not sure, best guess: ${name}` : `As judged: ${name}` };
}

/** The places of the points in the verdict, those first of which the judge is not sure. */
const unsureFirst = (points: readonly Point[]): number[] =>
  [...points.keys()].toSorted((a, b) => Number(isUnsure(judged(points[b]!))) - Number(isUnsure(judged(points[a]!))));

/** Lets an admin or a reviewer judge an answer, or a guest say what they think: each point or the whole, with a reason, and comments at moments of the recording. */
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
  const { points = [] } = recording.assessment ?? {};
  const text = words[guest ? 'feedback' : 'verdict'];
  const earlier = earlierOf({ recording, guest });
  const [decisions, setDecisions] = useState(earlierDecisions({ recording, guest }));
  const saved = earlier?.correctnessPercentage ?? '';
  const [percentage, setPercentage] = useState<number | ''>(saved);
  const [reason, setReason] = useState(earlier?.reason ?? '');
  const [comments, setComments] = useState<readonly ReviewComment[]>(earlier?.comments ?? []);
  const [isLoading, setIsLoading] = useState(false);
  const conflict = useEditConflict(async () => onClose());
  // The verdict that is on the screen now may be replaced while the form is open.
  const [reviewed] = useState(recording.assessment?.version);

  const send = async (version = reviewed) => {
    const body = {
      correctnessPercentage: percentage === '' ? null : percentage,
      points: Object.entries(decisions).map(([at, decision]) => ({ point: Number(at), ...decision })),
      reason: reason.trim(),
      comments: comments.filter(({ text }) => text.trim() !== ''),
    };
    setIsLoading(true);
    try {
      await onSave(body, version);
      toast.success(text.saved);
      onClose();
    } catch (error) {
      setIsLoading(false);
      if (!conflict.caught(error, send)) toast.error(errorMessage(error, text.failed));
    }
  };
  const setComment = (index: number, text: string) =>
    setComments(comments.map((comment, at) => (at === index ? { ...comment, text } : comment)));

  const decide = (at: number, state: PointState | '') => {
    const { [at]: before, ...others } = decisions;
    setDecisions(state === '' ? others : { ...others, [at]: { state, reason: before?.reason ?? '' } });
    // A saved percentage that is the sum of the points follows them.
    if (percentage === saved && creditSum(points, earlier?.correctnessPercentage) !== null) setPercentage('');
  };

  return (
    <section className={classes.form} aria-label={text.heading}>
      {conflict.dialog}
      <h4>{text.heading}</h4>
      {unsureFirst(points).map((at) => {
        const point = points[at]!;
        const name = point.text.replaceAll('`', '');
        const decision = decisions[at];
        return (
          <div key={at}>
            <NativeSelect
              label={name}
              data={[undecided(point), ...states]}
              value={decision?.state ?? ''}
              onChange={(event) => decide(at, event.currentTarget.value as PointState | '')}
            />
            {decision && (
              <TextInput
                mt={4}
                size="sm"
                aria-label={`Why, for “${name}”`}
                placeholder="Why (optional)"
                maxLength={reviewTextMaxLength}
                value={decision.reason}
                onChange={(event) =>
                  setDecisions({ ...decisions, [at]: { ...decision, reason: event.currentTarget.value } })
                }
              />
            )}
          </div>
        );
      })}
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
        suffix="%"
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
          onClick={() => void send()}
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
