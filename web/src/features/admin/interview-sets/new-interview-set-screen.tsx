import { NewInterviewSet } from '@interview-prep/contracts/catalog/sets';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { failureOf, LoadFailure, PartFailure } from '../../../components/load-failure.tsx';
import { Panel } from '../../../components/panel';
import { Screen } from '../../../components/screen.tsx';
import { type ApiError, errorMessage } from '../../../lib/api/api-error.ts';
import { useListTechnologiesQuery } from '../../../lib/api/sets-api.ts';
import { countOf } from '../../../lib/formats.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import { toast } from '../../../lib/toasts.ts';
import { BusyFieldset, FormActions } from '../busy-fieldset.tsx';
import { SetFiles } from '../set-files/set-files.tsx';
import { FormSkeleton, NoTechnologies } from '../sets/form-skeleton.tsx';
import { useCreateInterviewSetMutation, useListManagedInterviewSetsQuery } from '../sets/managed-sets-api.ts';
import { emptyHead, interviewSetBody, type SetHeadDraft, sameDraft } from '../sets/set-draft.ts';
import { StatusField, TechnologyField, TitleField } from '../sets/set-fields.tsx';
import { errorWithin, type FieldErrors, useCheckedForm } from '../use-checked-form.ts';
import classes from './expert-answers.module.css';
import { ExpertPoints } from './expert-points.tsx';
import { InterviewSetDetails } from './interview-set-details.tsx';
import { answered, noQuestionLines, type QuestionLines, questionsOf, retyped } from './question-lines.ts';

interface ExpertAnswersProps {
  lines: QuestionLines;
  onChange: (lines: QuestionLines) => void;
  errors: FieldErrors;
}

/** The error of the list of questions, or of the first invalid question. */
function questionsError(errors: FieldErrors): string | undefined {
  if (errors.questions) return errors.questions;
  const [path, message] = Object.entries(errors).find(([each]) => each.startsWith('questions.')) ?? [];
  return path && `Question ${Number(path.split('.')[1]) + 1}: ${message}`;
}

interface NewInterviewSetFormProps {
  technologies: readonly Technology[];
  /** Whether an import is running. The form's guard covers it, since the router allows only one. */
  pending: boolean;
}

/** Source: product specification, section 2, interview set forms, create. */
function NewInterviewSetForm({ technologies, pending }: NewInterviewSetFormProps) {
  const [head, setHead] = useState(emptyHead);
  const [lines, setLines] = useState(noQuestionLines);
  const [saved, setSaved] = useState(false);
  const [create] = useCreateInterviewSetMutation();
  const questions = questionsOf(lines);
  const { form, errors, busy, submit } = useCheckedForm(NewInterviewSet, interviewSetBody(head, questions));

  const change = (part: Partial<SetHeadDraft>) => setHead((previous) => ({ ...previous, ...part }));

  const send = async (body: NewInterviewSet) => {
    const { error } = await create(body);
    if (error) {
      toast.error(errorMessage(error, fallbacks.createInterviewSet));
      return error as ApiError;
    }
    toast.success(messages.interviewSets.created(body.title));
    setSaved(true);
  };

  if (saved) return <Navigate to={paths.home} />;
  const unsaved = lines.text.trim() !== '' || !sameDraft({ ...head, pairs: [] }, { ...emptyHead, pairs: [] });
  return (
    <form ref={form} onSubmit={(event) => submit(event, send)} noValidate aria-label="New interview set">
      <BusyFieldset busy={busy}>
        <Stack gap="lg">
          <TitleField
            label="Interview Set Title"
            value={head.title}
            onChange={(title) => change({ title })}
            errors={errors}
          />
          <TechnologyField
            label="Technology Category"
            value={head.technology}
            onChange={(technology) => change({ technology })}
            errors={errors}
            technologies={technologies}
          />
          <Textarea
            label="Questions"
            description={`One per line. A leading number like “1.” is removed. ${countOf(questions.length, 'question')} so far.`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required
            withAsterisk={false}
            size="md"
            autosize
            minRows={7}
            maxRows={24}
            value={lines.text}
            error={questionsError(errors)}
            onChange={(event) => setLines(retyped(lines, event.currentTarget.value))}
          />
          <ExpertAnswers lines={lines} onChange={setLines} errors={errors} />
          <StatusField value={head.status} onChange={(status) => change({ status })} />
          <InterviewSetDetails draft={head} onChange={change} errors={errors} />
          <FormActions>
            <Button type="submit" size="md" loading={busy}>
              Save Interview Set
            </Button>
          </FormActions>
        </Stack>
      </BusyFieldset>
      <LeaveGuard when={unsaved || pending} />
    </form>
  );
}

/** Source: product specification, section 2, route /new. */
export default function NewInterviewSetScreen() {
  const technologiesQuery = useListTechnologiesQuery();
  const setsQuery = useListManagedInterviewSetsQuery({ answers: true });
  const technologies = technologiesQuery.data;
  const sets = setsQuery.data;
  const [pending, setPending] = useState(false);
  const screen = { title: 'Add Interview Set', width: 'form' } as const;

  const technologiesFailure = failureOf([technologiesQuery, fallbacks.fetchTechnologies]);
  if (!technologies) {
    return (
      <Screen {...screen}>
        {technologiesFailure ? (
          <LoadFailure {...technologiesFailure} />
        ) : (
          <FormSkeleton label="Loading technologies…" />
        )}
      </Screen>
    );
  }
  // Import compares files with the sets; export writes the sets.
  const setsFailure = failureOf([setsQuery, fallbacks.fetchInterviewSets]);
  return (
    <Screen
      {...screen}
      lead="Questions that candidates answer aloud, one at a time."
      actions={
        technologies.length > 0 &&
        sets && <SetFiles kind="interview" technologies={technologies} sets={sets} onPending={setPending} />
      }
    >
      {technologies.length > 0 && setsFailure && <PartFailure mb="lg" {...setsFailure} />}
      {technologies.length === 0 ? (
        <NoTechnologies />
      ) : (
        <NewInterviewSetForm technologies={technologies} pending={pending} />
      )}
    </Screen>
  );
}

/** An optional expert answer and its points for each question, collapsed by default. */
function ExpertAnswers({ lines, onChange, errors }: ExpertAnswersProps) {
  const [opened, { toggle }] = useDisclosure(false);
  const region = useId();
  const questions = questionsOf(lines);
  const given = questions.filter(({ answer }) => answer.trim() !== '').length;
  // Show errors even if the section is collapsed.
  const shown = opened || ['expertAnswers', 'expertPoints'].some((name) => errorWithin(errors, name) !== undefined);

  return (
    <Panel component="section" radius="md" py="sm" px="md">
      <div className={classes.head}>
        <Button
          variant="subtle"
          size="compact-md"
          aria-expanded={shown}
          aria-controls={region}
          leftSection={shown ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
          onClick={toggle}
        >
          Expert answers (optional)
        </Button>
        {given > 0 && (
          <Text size="sm" c="dimmed" className="tabular">
            {given} of {questions.length}
          </Text>
        )}
      </div>
      <div id={region} hidden={!shown}>
        <Text size="sm" c="dimmed" mb="md">
          Candidates see them after the interview, and answers are scored against them.
        </Text>
        {questions.length === 0 && <Text size="sm">Write the questions first. Each one gets a field here.</Text>}
        <Stack>
          {questions.map(({ question, line, ...pair }, index) => (
            <div key={line}>
              <Textarea
                label={`${index + 1}. ${question}`}
                autosize
                minRows={2}
                maxRows={12}
                value={pair.answer}
                error={errors[`expertAnswers.${index}`]}
                onChange={(event) => onChange(answered(lines, line, { answer: event.currentTarget.value }))}
              />
              <ExpertPoints
                question={question}
                number={index + 1}
                pair={pair}
                onChange={(editedPoints) => onChange(answered(lines, line, { editedPoints }))}
                errors={errors}
              />
            </div>
          ))}
        </Stack>
      </div>
    </Panel>
  );
}
