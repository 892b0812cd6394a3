import { ExpertPoint, expertPointsMax } from '@interview-prep/contracts/catalog/expert-points';
import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconChevronDown,
  IconChevronRight,
  IconListCheck,
  IconPlayerPlay,
  IconPlus,
  IconRefresh,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { fallbacks } from '../../../lib/messages.ts';
import {
  type AnswerWithPoints,
  type EditedPoints,
  isOutdated,
  newPoint,
  type PointDraft,
  pointDraftsOf,
  pointOf,
} from '../sets/point-draft.ts';
import { errorWithin, type FieldErrors } from '../use-checked-form.ts';
import classes from './expert-points.module.css';
import { PointFields } from './point-fields.tsx';
import { useCheckPointsMutation } from './point-trials-api.ts';
import { TryPoints } from './try-points.tsx';

interface Checked {
  question: string;
  points: readonly ExpertPoint[];
  inQuestion: readonly string[];
}

interface ExpertPointsProps {
  /** Undefined for a set that isn't saved yet, and so has no answers. */
  setId?: string | undefined;
  question: string;
  /** The question's number, from 1. */
  number: number;
  pair: AnswerWithPoints;
  /** Undefined resets the points to those derived from the expert answer. */
  onChange: (edited: EditedPoints | undefined) => void;
  errors: FieldErrors;
}

/** The points of one expert answer, collapsed by default. Renders nothing without an expert answer. */
export function ExpertPoints({ setId, question, number, pair, onChange, errors }: ExpertPointsProps) {
  const [opened, { toggle }] = useDisclosure(false);
  const [focused, setFocused] = useState<string | null>(null);
  const [isTrying, trying] = useDisclosure(false);
  const region = useId();
  const list = useRef<HTMLOListElement>(null);
  // A new point gets the focus; after a removal, its neighbor does.
  useEffect(() => {
    if (focused === null) return;
    list.current?.querySelector<HTMLElement>(`[data-point="${focused}"] textarea`)?.focus();
    setFocused(null);
  }, [focused]);

  const of = `of expert answer ${number}`;
  const points = pair.answer.trim() === '' ? [] : pointDraftsOf(pair);
  const sent = points.map(pointOf);
  const check = useQuestionCheck(question, sent, of);

  if (pair.answer.trim() === '') return null;
  const path = `expertPoints.${number - 1}`;
  // An error must not stay hidden in a collapsed list.
  const shown = opened || errorWithin(errors, path) !== undefined;
  const outdated = isOutdated(pair);

  const change = (changed: readonly PointDraft[]) =>
    onChange({ answer: pair.editedPoints?.answer ?? pair.answer, points: changed });
  const add = () => {
    const point = newPoint();
    change([...points, point]);
    setFocused(point.key);
  };
  const remove = (index: number) => {
    setFocused((points[index + 1] ?? points[index - 1])?.key ?? null);
    change(points.filter((_, each) => each !== index));
  };

  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={shown}
        aria-controls={region}
        leftSection={shown ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
        onClick={toggle}
      >
        Points ({points.length})<VisuallyHidden> {of}</VisuallyHidden>
      </Button>
      {!shown && outdated && (
        <Text component="span" size="sm" ml="xs">
          The expert answer has changed.
        </Text>
      )}
      <div id={region} hidden={!shown} className={classes.region}>
        <Text size="sm" c="dimmed">
          A spoken answer is scored by the points that it makes. A weight of 2 counts twice as much as a weight of 1. An
          optional point can raise the score; leaving it out costs nothing.
        </Text>
        {outdated && (
          <Text size="sm" role="status">
            The expert answer has changed since these points were edited. Check that they still fit.
          </Text>
        )}
        <ol className={classes.points} ref={list} aria-label={`Points ${of}`}>
          {points.map((point, index) => (
            <li key={point.key} className={classes.point} data-point={point.key}>
              <PointFields
                point={point}
                name={`point ${index + 1} ${of}`}
                question={question}
                inQuestion={check.isInQuestion(point.text)}
                errors={errors}
                path={`${path}.${index}`}
                onChange={(part) => change(points.map((each) => (each === point ? { ...each, ...part } : each)))}
                onRemove={points.length > 1 ? () => remove(index) : undefined}
              />
            </li>
          ))}
        </ol>
        {errors[path] && (
          <Text size="sm" c="red" role="alert">
            {errors[path]}
          </Text>
        )}
        <Group gap="xs" align="stretch">
          <Button
            variant="default"
            size="xs"
            disabled={points.length >= expertPointsMax}
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={add}
          >
            Add point<VisuallyHidden> to expert answer {number}</VisuallyHidden>
          </Button>
          {check.button}
          <Button
            variant="default"
            size="xs"
            aria-expanded={isTrying}
            leftSection={<IconPlayerPlay size={14} aria-hidden />}
            onClick={trying.toggle}
          >
            Try it<VisuallyHidden> (points {of})</VisuallyHidden>
          </Button>
          {pair.editedPoints && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconRefresh size={14} aria-hidden />}
              onClick={() => onChange(undefined)}
            >
              Reset the points from the expert answer
            </Button>
          )}
        </Group>
        <Text size="sm" role="status" className={classes.outcome ?? ''}>
          {check.outcome}
        </Text>
        {isTrying && <TryPoints setId={setId} question={question} points={sent} of={of} />}
      </div>
    </div>
  );
}

/**
 * Asks the judge which points the question already gives away.
 * @returns the button, the outcome in words, and whether a point with this text was found in the question
 */
function useQuestionCheck(question: string, points: readonly ExpertPoint[], of: string) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const [check, { isLoading, error }] = useCheckPointsMutation();
  // Incomplete points can't be checked.
  const complete = points.filter((point) => ExpertPoint.safeParse(point).success);
  const run = async () => {
    const { data } = await check({ question, points: complete });
    if (data) setChecked({ question, points: complete, inQuestion: data });
  };
  const isCurrent = checked?.question === question;
  const isUnchanged = isCurrent && JSON.stringify(checked.points) === JSON.stringify(complete);
  const button: ReactNode = (
    <Button
      variant="default"
      size="xs"
      loading={isLoading}
      disabled={question.trim() === '' || complete.length === 0}
      leftSection={<IconListCheck size={14} aria-hidden />}
      onClick={run}
    >
      Compare with the question<VisuallyHidden> ({of})</VisuallyHidden>
    </Button>
  );
  const outcome = () => {
    if (error) return errorMessage(error, fallbacks.checkPoints);
    if (isUnchanged && checked.inQuestion.length === 0) return 'The question gives none of these points away.';
    return '';
  };
  return {
    button,
    outcome: outcome(),
    isInQuestion: (text: string) => isCurrent && checked.inQuestion.includes(text.trim()),
  };
}
