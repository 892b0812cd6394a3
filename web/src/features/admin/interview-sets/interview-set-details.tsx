import type { SetHeadDraft } from '../sets/set-draft.ts';
import { FollowUpsField, LanguageField, TagsField, VocabularyField } from '../sets/set-fields.tsx';
import { TimingFields } from '../sets/timing-fields.tsx';
import type { FieldErrors } from '../use-checked-form.ts';

interface InterviewSetDetailsProps {
  draft: SetHeadDraft;
  onChange: (part: Partial<SetHeadDraft>) => void;
  errors: FieldErrors;
}

/** The fields below an interview set's questions, in a new set's form and in the edit form. */
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
