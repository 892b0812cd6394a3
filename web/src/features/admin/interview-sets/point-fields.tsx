import { findPointWarning, type PointWarning } from '@interview-prep/contracts/catalog/point-warnings';
import { Checkbox, Group, Textarea, TextInput, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { PointDraft } from '../sets/point-draft.ts';
import { errorWithin, type FieldErrors } from '../use-checked-form.ts';
import { IconAction } from '../use-deletion.tsx';
import classes from './expert-points.module.css';

const texts: Record<PointWarning | 'in-question', string> = {
  leans: 'This can’t be understood by itself. Name what it is about.',
  fragment: 'This isn’t a full statement. Say what is true of it.',
  'two-things': 'This says more than one thing. Consider splitting it into separate points.',
  'in-question': 'The question already says this, so repeating the question would earn it.',
};

/**
 * Explains why a point is hard to judge; undefined if it isn't. It can be saved anyway.
 * @param inQuestion whether the judge found the point in the question
 */
function pointWarnings(text: string, question: string, inQuestion: boolean): ReactNode {
  const warning = findPointWarning(text, question);
  const found = [...(warning ? [warning] : []), ...(inQuestion ? (['in-question'] as const) : [])];
  if (found.length === 0) return undefined;
  return found.map((each) => (
    <span key={each} className={classes.warning}>
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      {texts[each]}
    </span>
  ));
}

interface PointFieldsProps {
  point: PointDraft;
  /** 'point 2 of expert answer 1' */
  name: string;
  question: string;
  /** Whether the judge found the point in the question. */
  inQuestion: boolean;
  errors: FieldErrors;
  /** The point's path in the request: 'expertPoints.0.1'. */
  path: string;
  onChange: (part: Partial<PointDraft>) => void;
  /** Undefined if the point can't be removed. */
  onRemove: (() => void) | undefined;
}

export function PointFields({ point, name, question, inQuestion, errors, path, onChange, onRemove }: PointFieldsProps) {
  const suffix = <VisuallyHidden> of {name}</VisuallyHidden>;
  return (
    <>
      <Textarea
        aria-label={`Text of ${name}`}
        autosize
        minRows={1}
        maxRows={8}
        value={point.text}
        error={errors[`${path}.text`]}
        description={pointWarnings(point.text, question, inQuestion)}
        inputWrapperOrder={['input', 'description', 'error']}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <TextInput
          flex="none"
          w={72}
          label={<>Weight{suffix}</>}
          type="number"
          inputMode="decimal"
          min={0.5}
          max={100}
          step={0.5}
          size="xs"
          value={point.weight}
          error={errors[`${path}.weight`]}
          onChange={(event) => onChange({ weight: event.currentTarget.value })}
        />
        <Checkbox
          className={classes.optional ?? ''}
          label={
            <>
              Optional<VisuallyHidden> ({name})</VisuallyHidden>
            </>
          }
          size="xs"
          checked={point.optional}
          onChange={(event) => onChange({ optional: event.currentTarget.checked })}
        />
        {onRemove && (
          <IconAction size="md" aria-label={`Remove ${name}`} onClick={onRemove}>
            <IconTrash size={16} stroke={1.5} aria-hidden />
          </IconAction>
        )}
      </Group>
      <Textarea
        label={<>Accepted wordings, one per line{suffix}</>}
        size="xs"
        autosize
        minRows={1}
        maxRows={8}
        value={point.wordings}
        error={errorWithin(errors, `${path}.acceptedWordings`)}
        onChange={(event) => onChange({ wordings: event.currentTarget.value })}
      />
    </>
  );
}
