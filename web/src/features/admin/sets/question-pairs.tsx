import { Button, Group, Textarea } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { FieldErrors } from '../use-checked-form.ts';
import { IconAction } from '../use-deletion.tsx';
import classes from './question-pairs.module.css';
import type { QuestionPair } from './set-draft.ts';

/** Moves an item of a list. Returns the list unchanged if an index is out of range. */
function moved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length) return items;
  return items.toSpliced(from, 1).toSpliced(to, 0, item);
}

interface QuestionPairsProps {
  pairs: readonly QuestionPair[];
  onChange: (pairs: readonly QuestionPair[]) => void;
  errors: FieldErrors;
  /** Only marks invalid fields: a single message elsewhere explains the error. */
  marksOnly?: boolean;
  /** The label of the answers, and their field in the contract. */
  answers: { label: string; field: 'answers' | 'expertAnswers'; required: boolean };
  /** Whether pairs can be removed. */
  removable: boolean;
  /** Shown below a pair's answer. */
  belowAnswer?: (pair: QuestionPair, index: number, onChange: (part: Partial<QuestionPair>) => void) => ReactNode;
}

/** Edits, moves and removes questions together with their answers. */
export function QuestionPairs(props: QuestionPairsProps) {
  const { pairs, onChange, errors, marksOnly = false, answers, removable, belowAnswer } = props;
  const list = useRef<HTMLOListElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  // The focused pair is gone, so focus its neighbor.
  useEffect(() => {
    if (focused === null) return;
    list.current?.querySelector<HTMLElement>(`[data-pair="${focused}"] textarea`)?.focus();
    setFocused(null);
  }, [focused]);

  const shown = (message: string | undefined) => (marksOnly ? message !== undefined : message);
  const change = (key: string, part: Partial<QuestionPair>) =>
    onChange(pairs.map((pair) => (pair.key === key ? { ...pair, ...part } : pair)));
  const remove = (index: number) => {
    setFocused((pairs[index + 1] ?? pairs[index - 1])?.key ?? null);
    onChange(pairs.filter((_, each) => each !== index));
  };

  return (
    <ol className={classes.pairs} ref={list}>
      {pairs.map((pair, index) => {
        const { key, question, answer } = pair;
        const number = index + 1;
        return (
          <li key={key} className={classes.pair} data-pair={key}>
            <Group gap={2} wrap="nowrap" pos="absolute" top={8} right={8}>
              {pairs.length > 1 && (
                <>
                  <IconAction
                    size="md"
                    aria-label={`Move question ${number} up`}
                    disabled={index === 0}
                    onClick={() => onChange(moved(pairs, index, index - 1))}
                  >
                    <IconArrowUp size={16} stroke={1.5} aria-hidden />
                  </IconAction>
                  <IconAction
                    size="md"
                    aria-label={`Move question ${number} down`}
                    disabled={number === pairs.length}
                    onClick={() => onChange(moved(pairs, index, index + 1))}
                  >
                    <IconArrowDown size={16} stroke={1.5} aria-hidden />
                  </IconAction>
                </>
              )}
              {removable && (
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-sm"
                  leftSection={<IconTrash size={14} stroke={1.5} aria-hidden />}
                  aria-label={`Remove question ${number}`}
                  onClick={() => remove(index)}
                >
                  Remove
                </Button>
              )}
            </Group>
            <Textarea
              label={`Question ${number}`}
              required
              withAsterisk={false}
              autosize
              minRows={1}
              maxRows={8}
              value={question}
              error={shown(errors[`questions.${index}`])}
              onChange={(event) => change(key, { question: event.currentTarget.value })}
            />
            <Textarea
              label={`${answers.label} ${number}${answers.required ? '' : ' (optional)'}`}
              required={answers.required}
              withAsterisk={false}
              autosize
              minRows={answers.required ? 2 : 1}
              maxRows={12}
              value={answer}
              error={shown(errors[`${answers.field}.${index}`])}
              onChange={(event) => change(key, { answer: event.currentTarget.value })}
            />
            {belowAnswer?.(pair, index, (part) => change(key, part))}
          </li>
        );
      })}
    </ol>
  );
}
