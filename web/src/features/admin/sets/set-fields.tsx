import type { SetStatus } from '@interview-prep/contracts/catalog/sets';
import { spokenLanguages } from '@interview-prep/contracts/catalog/spoken-languages';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { followUpsMax } from '@interview-prep/contracts/recording/asked-questions';
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { Ref } from 'react';
import { languageName } from '../../../lib/formats.ts';
import { errorWithin, type FieldErrors } from '../use-checked-form.ts';
import type { SetHeadDraft } from './set-draft.ts';

interface FieldProps<Value> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  errors: FieldErrors;
}

export function TitleField({
  ref,
  label,
  value,
  onChange,
  errors,
}: FieldProps<string> & { ref?: Ref<HTMLInputElement> }) {
  return (
    <TextInput
      ref={ref}
      label={label}
      required
      withAsterisk={false}
      autoComplete="off"
      value={value}
      error={errors.title}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** A set's technology: the value is the slug, the label the name. */
export function TechnologyField({
  label,
  value,
  onChange,
  errors,
  technologies,
}: FieldProps<SetHeadDraft['technology']> & { technologies: readonly Technology[] }) {
  return (
    <NativeSelect
      label={label}
      required
      withAsterisk={false}
      size="md"
      value={value}
      error={errors.technology}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: 'Select Technology' },
        ...technologies.map(({ slug, name }) => ({ value: slug, label: name })),
      ]}
    />
  );
}

/** A set's tags, as one comma-separated line. */
export function TagsField({ label, value, onChange, errors }: FieldProps<string>) {
  return (
    <TextInput
      label={label}
      description="Optional. Separate tags with commas, for example: hooks, state, beginner"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autoComplete="off"
      value={value}
      error={errorWithin(errors, 'tags')}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Terms for the speech engine to expect, as text. */
export function VocabularyField({ value, onChange, errors }: Omit<FieldProps<string>, 'label'>) {
  return (
    <Textarea
      label="Vocabulary"
      size="md"
      description="Optional. Terms to listen for, in addition to those in the questions and answers, for example: useEffect, PostgreSQL"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autoComplete="off"
      spellCheck={false}
      autosize
      minRows={1}
      maxRows={8}
      value={value}
      error={errorWithin(errors, 'vocabulary')}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const [english, ...otherLanguages] = spokenLanguages.map((language) => ({
  value: language,
  label: languageName(language),
}));
const languageOptions = [
  { value: '', label: 'Server default' },
  ...(english ? [english] : []),
  ...otherLanguages.toSorted((one, other) => one.label.localeCompare(other.label, 'en')),
];

/** The language that candidates speak. */
export function LanguageField({ value, onChange, errors }: Omit<FieldProps<SetHeadDraft['language']>, 'label'>) {
  return (
    <NativeSelect
      label="Spoken language"
      description={value === '' ? 'English, unless the server is set to another language.' : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      size="md"
      value={value}
      error={errors.language}
      onChange={(event) => onChange(event.currentTarget.value as SetHeadDraft['language'])}
      data={languageOptions}
    />
  );
}

/** Whether interviews with the set ask follow-up questions. */
export function FollowUpsField({ value, onChange }: Omit<FieldProps<boolean>, 'label' | 'errors'>) {
  return (
    <Checkbox
      label="Ask follow-up questions"
      description={`After the last question: at most ${followUpsMax}, about what the answers missed.`}
      size="md"
      checked={value}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

export const statusNames: Record<SetStatus, string> = { published: 'Published', draft: 'Draft', archived: 'Archived' };

/** The status: whether candidates see the set. */
export function StatusField({ value, onChange }: Omit<FieldProps<SetStatus>, 'label' | 'errors'>) {
  return (
    <NativeSelect
      label="Status"
      description={value === 'published' ? 'Candidates can take it.' : 'Hidden from candidates.'}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      size="md"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as SetStatus)}
      data={Object.entries(statusNames).map(([status, label]) => ({ value: status, label }))}
    />
  );
}
