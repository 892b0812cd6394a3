import { pointStateNames, stateOf } from '@interview-prep/contracts/recording/point-states';
import { type Point, PointState } from '@interview-prep/contracts/recording/recordings';
import { type NewReview, reviewTextMaxLength } from '@interview-prep/contracts/recording/reviews';
import type { ReviewComment } from '@interview-prep/contracts/recording/verdict-review';
import { Button, Group, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { IconGavel } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router-dom';
import { useEditConflict } from '../../../components/edit-conflict.tsx';
import type { Playback } from '../../../components/player/use-playback.ts';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { countOf, minutesSeconds } from '../../../lib/formats.ts';
import { toast } from '../../../lib/toasts.ts';
import { creditSum, isUnsure } from '../detail/point-text.tsx';
import type { SessionRecording } from '../session-types.ts';
import classes from './review.module.css';
import { KeysHelp, useReviewKeys } from './review-keys.tsx';
import type { QueuePlace } from './review-queue.ts';
import { SnippetsMenu } from './snippets.tsx';

interface ReviewFormProps {
  recording: SessionRecording;
  /** Rejects with the call's error. @param version the reviewed version of the verdict */
  onSave: (body: NewReview, version?: string) => Promise<unknown>;
  playback: Playback;
  /** Whether this is a guest's feedback, which doesn't count toward the score. */
  guest?: boolean | undefined;
  /** The queue position that the answer was opened from: the form starts open, and saving moves on to the next. */
  queue?: QueuePlace | undefined;
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

/** The reader's earlier comment on the answer. */
function earlierOf({ recording, guest }: Pick<ReviewFormProps, 'recording' | 'guest'>) {
  return guest ? recording.guestFeedback?.[0] : recording.assessment?.review;
}

/** The reviewer's decision on a point. */
interface Decision {
  state: PointState;
  /** The reason, shown to the candidate. */
  reason: string;
}

/** The reader's earlier decisions, by point index. */
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

/** The judge's result for a point. */
const judged = (point: Point) => ({ ...point, ...point.review?.before });

/** The label of the undecided option: 'Not sure, best guess: Partly covered'. */
function undecided(point: Point) {
  const name = pointStateNames[stateOf(judged(point))];
  return { value: '', label: isUnsure(judged(point)) ? `Not sure, best guess: ${name}` : `As judged: ${name}` };
}

/** The indexes of the verdict's points, unsure ones first. */
const unsureFirst = (points: readonly Point[]): number[] =>
  [...points.keys()].toSorted((a, b) => Number(isUnsure(judged(points[b]!))) - Number(isUnsure(judged(points[a]!))));

/** Lets a reviewer judge an answer, or a guest give feedback: by point or as a whole, with a reason and timed comments. */
export function ReviewForm(props: ReviewFormProps) {
  const [opened, setOpened] = useState(props.queue !== undefined);
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

function OpenForm({ recording, onSave, playback, guest, queue, onClose }: ReviewFormProps & { onClose: () => void }) {
  const { points = [] } = recording.assessment ?? {};
  const text = words[guest ? 'feedback' : 'verdict'];
  const earlier = earlierOf({ recording, guest });
  const [decisions, setDecisions] = useState(earlierDecisions({ recording, guest }));
  const saved = earlier?.correctnessPercentage ?? '';
  const [percentage, setPercentage] = useState<number | ''>(saved);
  const [reason, setReason] = useState(earlier?.reason ?? '');
  const [comments, setComments] = useState<readonly ReviewComment[]>(earlier?.comments ?? []);
  const [isLoading, setIsLoading] = useState(false);
  const form = useRef<HTMLElement>(null);
  const order = unsureFirst(points);
  /** The position in `order` of the point that the keys apply to. */
  const [current, setCurrent] = useState(0);
  const conflict = useEditConflict(async () => onClose());
  // The displayed verdict may be replaced while the form is open.
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
      if (queue) await queue.next();
      else onClose();
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
    // A saved percentage that equals the sum of the points keeps following them.
    if (percentage === saved && creditSum(points, earlier?.correctnessPercentage) !== null) setPercentage('');
  };

  const mayNotSave = reason.trim() === '' || (!guest && points.length === 0 && percentage === '');
  const saveText = queue ? 'Save and go to the next' : text.save;
  const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
  const focusPoint = (at: number) => (find(`[data-place="${at}"]`) ?? form.current)?.focus();
  /** The last focused field: a comment's index, or null for the reason. */
  const [field, setField] = useState<number | null>(null);
  const written = () => (field === null ? reason : (comments[field]?.text ?? ''));
  const insert = (snippet: string) => {
    const before = written().trimEnd();
    const together = (before === '' ? snippet : `${before} ${snippet}`).slice(0, reviewTextMaxLength);
    if (field === null) setReason(together);
    else setComment(field, together);
    // Wait until the menu has closed, since it returns the focus to its button.
    setTimeout(() => find(field === null ? '[data-reason]' : `[data-comment="${field}"]`)?.focus());
  };
  const comment = () => setComments([...comments, { atMs: Math.round(playback.clock.read()), text: '' }]);
  const writeReason = () => find('[data-reason]')?.focus();
  useReviewKeys(form, {
    move: (by) => {
      const next = Math.min(Math.max(current + by, 0), Math.max(order.length - 1, 0));
      setCurrent(next);
      focusPoint(next);
    },
    decide: (state) => {
      const at = order[current];
      if (at === undefined) return;
      decide(at, state);
      focusPoint(current);
    },
    comment: () => {
      flushSync(comment);
      find(`[data-comment="${comments.length}"]`)?.focus();
    },
    writeReason,
    playOrPause: () => playback.toggle(),
    snippets: () => find('[data-snippets]')?.click(),
    save: () => {
      if (isLoading) return;
      if (mayNotSave) writeReason();
      else void send();
    },
  });
  // Open the form at once if the answer comes from the queue.
  const isOfQueue = queue !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form opens
  useEffect(() => {
    if (!isOfQueue) return;
    form.current?.closest('article')?.scrollIntoView({ block: 'start' });
    focusPoint(0);
  }, []);

  return (
    <section
      ref={form}
      className={classes.form}
      aria-label={text.heading}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (
          event.key === 'Escape' &&
          event.target instanceof Element &&
          event.target.matches('input, textarea, select')
        )
          focusPoint(current);
      }}
    >
      {conflict.dialog}
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <h4>
          {text.heading}
          {queue?.total !== undefined && (
            <span className={classes.label}> · {countOf(queue.total, 'answer')} to review</span>
          )}
        </h4>
        <KeysHelp save={saveText} />
      </Group>
      {order.map((at, place) => {
        const point = points[at]!;
        const name = point.text.replaceAll('`', '');
        const decision = decisions[at];
        return (
          <fieldset
            key={at}
            className={classes.point}
            aria-label={name}
            data-place={place}
            tabIndex={-1}
            onFocus={() => setCurrent(place)}
          >
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
          </fieldset>
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
        data-reason
        label={text.reason}
        description="The candidate reads this."
        required
        autosize
        minRows={2}
        maxLength={reviewTextMaxLength}
        value={reason}
        onFocus={() => setField(null)}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {comments.map(({ atMs, text: said }, index) => (
        <TextInput
          // biome-ignore lint/suspicious/noArrayIndexKey: comments keep their places while they are written.
          key={index}
          data-comment={index}
          size="sm"
          label={`Comment at ${minutesSeconds(atMs / 1000)}`}
          maxLength={reviewTextMaxLength}
          value={said}
          onFocus={() => setField(index)}
          onChange={(event) => setComment(index, event.currentTarget.value)}
        />
      ))}
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={comment}>
          Comment at this moment of the recording
        </Button>
        {!guest && <SnippetsMenu insert={insert} written={written} />}
      </Group>
      <Group gap="xs">
        <Button size="xs" loading={isLoading} disabled={mayNotSave} onClick={() => void send()}>
          {saveText}
        </Button>
        {queue ? (
          <>
            <Button size="xs" variant="default" disabled={isLoading} onClick={() => void queue.next()}>
              Skip
            </Button>
            <Button size="xs" variant="subtle" color="gray" component={Link} to={queue.back}>
              Back to the list
            </Button>
          </>
        ) : (
          <Button size="xs" variant="default" disabled={isLoading} onClick={onClose}>
            Cancel
          </Button>
        )}
      </Group>
    </section>
  );
}
