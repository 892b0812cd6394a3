import { type TimingField, timingFields, usualThinkingSeconds } from '@interview-prep/contracts/catalog/answer-timing';
import { Fieldset, SimpleGrid, TextInput } from '@mantine/core';
import type { SetHeadDraft } from '../sets/set-draft.ts';
import { FollowUpsField, LanguageField, TagsField, VocabularyField } from '../sets/set-fields.tsx';
import type { FieldErrors } from '../use-checked-form.ts';

const fields: readonly { field: TimingField; label: string; description: string }[] = [
  {
    field: 'thinkingSeconds',
    label: 'Thinking time',
    description: `Counts down before each recording starts; ${usualThinkingSeconds} if left out, 0 for none`,
  },
  {
    field: 'timeLimitSeconds',
    label: 'Time limit',
    description: 'Recording stops here; everything said so far is kept',
  },
  { field: 'lengthHintSeconds', label: 'Suggested length', description: 'Roughly how long an answer should be' },
];

interface TimingFieldsProps {
  head: SetHeadDraft;
  onChange: (times: Partial<Record<TimingField, string>>) => void;
  errors: FieldErrors;
}

/** The time limits of an interview set's answers, in seconds; all are optional. */
function TimingFields({ head, onChange, errors }: TimingFieldsProps) {
  return (
    <Fieldset legend="Times in seconds">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {fields.map(({ field, label, description }) => (
          <TextInput
            key={field}
            label={label}
            description={`Optional, ${timingFields[field].min} to ${timingFields[field].max}. ${description}.`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            inputMode="numeric"
            autoComplete="off"
            value={head[field]}
            error={errors[field]}
            onChange={(event) => onChange({ [field]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}

interface InterviewSetDetailsProps {
  draft: SetHeadDraft;
  onChange: (part: Partial<SetHeadDraft>) => void;
  errors: FieldErrors;
}

/** The fields below the questions of an interview set, in the new and edit forms. */
export function InterviewSetDetails({ draft, onChange, errors }: InterviewSetDetailsProps) {
  return (
    <>
      <TagsField label="Technical Tags" value={draft.tags} onChange={(tags) => onChange({ tags })} errors={errors} />
      <VocabularyField value={draft.vocabulary} onChange={(vocabulary) => onChange({ vocabulary })} errors={errors} />
      <LanguageField value={draft.language} onChange={(language) => onChange({ language })} errors={errors} />
      <FollowUpsField value={draft.asksFollowUps} onChange={(asksFollowUps) => onChange({ asksFollowUps })} />
      <TimingFields head={draft} onChange={onChange} errors={errors} />
    </>
  );
}
