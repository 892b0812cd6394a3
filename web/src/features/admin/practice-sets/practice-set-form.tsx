import { NewPracticeSet } from '@interview-prep/contracts/catalog/sets';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { Button, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { messages } from '../../../lib/messages.ts';
import { BusyFieldset, FormActions, FormError } from '../busy-fieldset.tsx';
import { QuestionPairs } from '../sets/question-pairs.tsx';
import { newPair, practiceSetBody, type QuestionPair, type SetDraft } from '../sets/set-draft.ts';
import {
  LanguageField,
  StatusField,
  TagsField,
  TechnologyField,
  TitleField,
  VocabularyField,
} from '../sets/set-fields.tsx';
import { useCheckedForm } from '../use-checked-form.ts';

interface PracticeSetFormProps {
  /** The form's accessible name. */
  label: string;
  submitLabel: string;
  technologies: readonly Technology[];
  draft: SetDraft;
  /** Whether to take the focus, because the form replaces a row. */
  focused?: boolean;
  onChange: (draft: SetDraft) => void;
  /** Resolves to the server's error if it was rejected. */
  onSave: (body: NewPracticeSet) => Promise<ApiError | undefined>;
  onCancel?: () => void;
}

const complete = ({ question, answer }: QuestionPair) => question.trim() !== '' && answer.trim() !== '';

/** A practice set's fields, for a new set or inline editing. Source: product specification, sections 2 and 5. */
export function PracticeSetForm({
  label,
  submitLabel,
  technologies,
  draft,
  focused = false,
  onChange,
  onSave,
  onCancel,
}: PracticeSetFormProps) {
  const title = useRef<HTMLInputElement>(null);
  const { form, errors, busy, submit, reset } = useCheckedForm(NewPracticeSet, practiceSetBody(draft, draft.pairs));
  const change = (part: Partial<SetDraft>) => onChange({ ...draft, ...part });
  const pairErrors = Object.keys(errors).some((path) => path.startsWith('questions') || path.startsWith('answers'));
  // Without any complete pair, one message replaces those of the fields.
  const noPair = pairErrors && !draft.pairs.some(complete);
  useEffect(() => {
    if (focused) title.current?.focus();
  }, [focused]);
  const save = async (body: NewPracticeSet) => {
    const error = await onSave(body);
    if (!error) reset();
    return error;
  };

  return (
    <form ref={form} onSubmit={(event) => submit(event, save)} noValidate aria-label={label}>
      <BusyFieldset busy={busy}>
        <Stack>
          <TitleField
            ref={title}
            label="Title"
            value={draft.title}
            onChange={(title) => change({ title })}
            errors={errors}
          />
          <TechnologyField
            label="Technology"
            value={draft.technology}
            onChange={(technology) => change({ technology })}
            errors={errors}
            technologies={technologies}
          />
          <QuestionPairs
            pairs={draft.pairs}
            onChange={(pairs) => change({ pairs })}
            errors={errors}
            marksOnly={noPair}
            answers={{ label: 'Answer', field: 'answers', required: true }}
            removable={draft.pairs.length > 1}
          />
          <div>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => change({ pairs: [...draft.pairs, newPair()] })}
            >
              Add Question
            </Button>
          </div>
          <TagsField label="Tags" value={draft.tags} onChange={(tags) => change({ tags })} errors={errors} />
          <VocabularyField value={draft.vocabulary} onChange={(vocabulary) => change({ vocabulary })} errors={errors} />
          <LanguageField value={draft.language} onChange={(language) => change({ language })} errors={errors} />
          <StatusField value={draft.status} onChange={(status) => change({ status })} />
          {noPair && <FormError>{messages.practice.incomplete}</FormError>}
          <FormActions>
            <Button type="submit" size="md" loading={busy}>
              {submitLabel}
            </Button>
            {onCancel && (
              <Button variant="default" size="md" onClick={onCancel}>
                Cancel
              </Button>
            )}
          </FormActions>
        </Stack>
      </BusyFieldset>
    </form>
  );
}
