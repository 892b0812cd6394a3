import { type InterviewSet, NewInterviewSet } from '@interview-prep/contracts/catalog/sets';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { parseQuestions } from '@interview-prep/contracts/text/question-text';
import { Button, Stack, Text, Textarea, Title } from '@mantine/core';
import { type KeyboardEvent, type Ref, useRef, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useEditConflict } from '../../../components/edit-conflict.tsx';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { type ApiError, errorMessage } from '../../../lib/api/api-error.ts';
import { countOf } from '../../../lib/formats.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import { toast } from '../../../lib/toasts.ts';
import { BusyFieldset, FormActions } from '../busy-fieldset.tsx';
import { useDeleteInterviewSetMutation, useUpdateInterviewSetMutation } from '../sets/managed-sets-api.ts';
import { QuestionPairs } from '../sets/question-pairs.tsx';
import { draftOf, interviewSetBody, newPair, type SetDraft, sameDraft } from '../sets/set-draft.ts';
import { StatusField, TechnologyField, TitleField } from '../sets/set-fields.tsx';
import { useCheckedForm } from '../use-checked-form.ts';
import { useDeletion } from '../use-deletion.tsx';
import { ExpertPoints } from './expert-points.tsx';
import { InterviewSetDetails } from './interview-set-details.tsx';
import classes from './new-question.module.css';

interface NewQuestionProps {
  ref: Ref<HTMLTextAreaElement>;
  value: string;
  onChange: (value: string) => void;
  onAdd: () => void;
  /** The error of the list of questions. */
  error: string | undefined;
}

/** Adds questions to the list on Enter, one per line; blank lines are ignored. */
function NewQuestion({ ref, value, onChange, onAdd, error }: NewQuestionProps) {
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onAdd();
  };
  return (
    <div className={classes.add}>
      <Textarea
        ref={ref}
        flex="1 1 260px"
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

interface EditInterviewSetFormProps {
  set: InterviewSet;
  technologies: readonly Technology[];
  /** Starts over with the set as it is saved now. */
  onReload: () => Promise<unknown>;
}

/** Edits or deletes an interview set. Source: product specification, section 2, interview set forms, edit. */
export function EditInterviewSetForm({ set: loaded, technologies, onReload }: EditInterviewSetFormProps) {
  // The form keeps the version that was loaded first, even if the page learns of a change.
  const [set] = useState(loaded);
  const [initial] = useState(() => draftOf(set, set.expertAnswers ?? [], technologies));
  const [draft, setDraft] = useState<SetDraft>(initial);
  const [typed, setTyped] = useState('');
  const [finished, setFinished] = useState(false);
  const [update] = useUpdateInterviewSetMutation();
  const [remove] = useDeleteInterviewSetMutation();
  const deletion = useDeletion<InterviewSet>({
    remove: ({ _id }) => remove({ id: _id }),
    done: ({ title }) => messages.interviewSets.deleted(title),
    failed: fallbacks.deleteInterviewSet,
    onDeleted: () => setFinished(true),
  });
  const addField = useRef<HTMLTextAreaElement>(null);

  // Questions typed but not yet added are saved too.
  const typedPairs = parseQuestions(typed).map((question) => ({ question, answer: '' }));
  const body = interviewSetBody(draft, [...draft.pairs, ...typedPairs]);
  const { form, errors, busy, submit } = useCheckedForm(NewInterviewSet, body);
  const change = (part: Partial<SetDraft>) => setDraft((previous) => ({ ...previous, ...part }));

  const add = () => {
    if (typedPairs.length > 0)
      change({ pairs: [...draft.pairs, ...typedPairs.map(({ question }) => newPair(question))] });
    setTyped('');
    addField.current?.focus();
  };

  const conflict = useEditConflict(onReload);
  const send = async (changed: NewInterviewSet, version = set.version) => {
    const { error } = await update({ id: set._id, version, ...changed });
    if (conflict.caught(error, (newer) => send(changed, newer))) return;
    if (error) {
      toast.error(errorMessage(error, fallbacks.updateInterviewSet));
      return error as ApiError;
    }
    toast.success(messages.interviewSets.updated(changed.title));
    setFinished(true);
  };

  if (finished) return <Navigate to={paths.home} />;
  const questionCount = countOf(set.questions.length, 'question');
  const expertAnswers = (set.expertAnswers ?? []).filter((answer) => answer !== '').length;
  return (
    <form ref={form} onSubmit={(event) => submit(event, send)} noValidate aria-label="Edit interview set">
      <BusyFieldset busy={busy || deletion.busy}>
        <Stack gap="lg">
          <TitleField
            label="Interview Set Title"
            value={draft.title}
            onChange={(title) => change({ title })}
            errors={errors}
          />
          <TechnologyField
            label="Technology Category"
            value={draft.technology}
            onChange={(technology) => change({ technology })}
            errors={errors}
            technologies={technologies}
          />
          <Stack gap="sm">
            <div>
              <Title order={2} size="h3">
                Questions
              </Title>
              <Text size="sm" c="dimmed">
                Candidates see the expert answers after the interview, and answers are scored against them.
              </Text>
            </div>
            <QuestionPairs
              pairs={draft.pairs}
              onChange={(pairs) => change({ pairs })}
              errors={errors}
              answers={{ label: 'Expert answer', field: 'expertAnswers', required: false }}
              removable
              belowAnswer={(pair, index, changePair) => (
                <ExpertPoints
                  setId={set._id}
                  question={pair.question}
                  number={index + 1}
                  pair={pair}
                  onChange={(editedPoints) => changePair({ editedPoints })}
                  errors={errors}
                />
              )}
            />
            <NewQuestion ref={addField} value={typed} onChange={setTyped} onAdd={add} error={errors.questions} />
          </Stack>
          <StatusField value={draft.status} onChange={(status) => change({ status })} />
          <InterviewSetDetails draft={draft} onChange={change} errors={errors} />
          <FormActions>
            <Button type="submit" size="md" loading={busy}>
              Save Changes
            </Button>
            <Button variant="light" color="red" size="md" onClick={() => deletion.ask(set)}>
              Delete Set
            </Button>
          </FormActions>
        </Stack>
      </BusyFieldset>
      <ConfirmDialog
        {...deletion.dialog}
        title={`Delete “${set.title}”?`}
        confirmLabel={`Delete “${set.title}” and its ${questionCount}`}
      >
        Its {questionCount} {expertAnswers > 0 && `and ${countOf(expertAnswers, 'expert answer')} `}will be deleted for
        good. Interviews already taken with it stay in the history. To hide the set and keep it, archive it instead.
      </ConfirmDialog>
      {conflict.dialog}
      <LeaveGuard when={typed.trim() !== '' || !sameDraft(draft, initial)} />
    </form>
  );
}
