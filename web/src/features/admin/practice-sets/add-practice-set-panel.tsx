import type { NewPracticeSet } from '@interview-prep/contracts/sets';
import type { Technology } from '@interview-prep/contracts/technologies';
import { Paper, Title } from '@mantine/core';
import type { ApiError } from '../../../lib/api/api-error.ts';
import type { SetDraft } from '../sets/set-draft.ts';
import { PracticeSetForm } from './practice-set-form.tsx';
import classes from './practice-sets-screen.module.css';

interface AddPracticeSetPanelProps {
  technologies: readonly Technology[];
  draft: SetDraft;
  onChange: (draft: SetDraft) => void;
  onAdd: (body: NewPracticeSet) => Promise<ApiError | undefined>;
}

/** The form beside the list that adds a practice set. */
export function AddPracticeSetPanel({ technologies, draft, onChange, onAdd }: AddPracticeSetPanelProps) {
  return (
    <Paper
      withBorder
      bg="var(--surface)"
      component="section"
      p={20}
      className={classes.card}
      aria-labelledby="add-practice-set"
    >
      <Title order={2} size="h3" mb="md" id="add-practice-set">
        Add a practice set
      </Title>
      <PracticeSetForm
        label="Add practice set"
        submitLabel="Add Practice Set"
        technologies={technologies}
        draft={draft}
        onChange={onChange}
        onSave={onAdd}
      />
    </Paper>
  );
}
