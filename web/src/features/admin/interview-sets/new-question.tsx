import { Button, Textarea } from '@mantine/core';
import type { KeyboardEvent, Ref } from 'react';
import classes from './new-question.module.css';

interface NewQuestionProps {
  ref: Ref<HTMLTextAreaElement>;
  value: string;
  onChange: (value: string) => void;
  onAdd: () => void;
  /** The error of the questions as a whole. */
  error: string | undefined;
}

/** Adds questions to the list on Enter, one per line; blank lines are ignored. */
export function NewQuestion({ ref, value, onChange, onAdd, error }: NewQuestionProps) {
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onAdd();
  };
  return (
    <div className={classes.add}>
      <Textarea
        ref={ref}
        className={classes.field ?? ''}
        label="Add a new question"
        autosize
        minRows={1}
        maxRows={8}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={addOnEnter}
      />
      <Button variant="default" onClick={onAdd}>
        Add Question
      </Button>
    </div>
  );
}
