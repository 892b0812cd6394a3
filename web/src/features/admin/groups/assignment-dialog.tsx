import type { GroupDetail } from '@interview-prep/contracts/auth/groups';
import {
  type Assignment,
  AssignmentTerms,
  type FeedbackTime,
  NewAssignment,
} from '@interview-prep/contracts/recording/assignments';
import { Checkbox, MultiSelect, NativeSelect, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { useCreateAssignmentMutation, useUpdateAssignmentMutation } from '../../../lib/api/assignments-api.ts';
import { timeZone } from '../../../lib/api/first-requests.ts';
import { useListInterviewSetsQuery, useListPracticeSetsQuery } from '../../../lib/api/sets-api.ts';
import { toast } from '../../../lib/toasts.ts';
import { FormDialog } from '../form-dialog.tsx';
import { errorWithin, useCheckedForm } from '../use-checked-form.ts';

/** The feedback options, worded for coaches. */
export const feedbackNames: Readonly<Record<FeedbackTime, string>> = {
  'at-once': 'Right after each answer',
  'last-take': 'After the last take',
  due: 'After the due date',
  release: 'When you release it',
};

/** Formats an instant for a datetime-local field, in the user's time zone. */
export function localTime(instant: string | number): string {
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
/** Parses the value of a datetime-local field; null if empty. */
export function instantOf(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString();
}

const numberOf = (typed: number | string) => (typed === '' ? null : Number(typed));

const weekMs = 7 * 86_400_000;

interface AssignmentDialogProps {
  group: GroupDetail;
  /** The assignment to edit; omitted to create one. */
  assignment?: Assignment;
  onClose: () => void;
}

/** Creates or edits an assignment. Times are in the coach's time zone. */
export function AssignmentDialog({ group, assignment, onClose }: AssignmentDialogProps) {
  const { data: interviewSets = [] } = useListInterviewSetsQuery(undefined, { skip: assignment !== undefined });
  const { data: practiceSets = [] } = useListPracticeSetsQuery(undefined, { skip: assignment !== undefined });
  const [create] = useCreateAssignmentMutation();
  const [update] = useUpdateAssignmentMutation();
  const [chosen, setChosen] = useState<string[]>([]);
  const [memberIds, setMemberIds] = useState<string[]>([]);
  const [typed, setTyped] = useState(() => ({
    title: assignment?.title ?? '',
    opens: localTime(assignment?.opensAt ?? Date.now()),
    due: assignment ? (assignment.dueAt ? localTime(assignment.dueAt) : '') : localTime(Date.now() + weekMs),
    takes: (assignment?.takes ?? '') as number | string,
    minutes: (assignment?.timeLimitSeconds ? assignment.timeLimitSeconds / 60 : '') as number | string,
    minimum: (assignment?.minimumScore ?? '') as number | string,
    feedback: assignment?.feedback ?? ('at-once' as FeedbackTime),
    closesLate: assignment?.closesLate ?? false,
  }));
  const change = (part: Partial<typeof typed>) => setTyped({ ...typed, ...part });
  const minutes = numberOf(typed.minutes);
  const terms = {
    title: typed.title,
    opensAt: instantOf(typed.opens),
    dueAt: instantOf(typed.due),
    timeZone: timeZone(),
    takes: numberOf(typed.takes),
    timeLimitSeconds: minutes === null ? null : Math.round(minutes * 60),
    minimumScore: numberOf(typed.minimum),
    feedback: typed.feedback,
    closesLate: typed.closesLate,
  };
  const input = assignment
    ? terms
    : {
        ...terms,
        groupId: group.id,
        sets: chosen.map((value) => {
          const [kind, setId] = value.split(' ');
          return { kind, setId };
        }),
        memberIds: memberIds.length > 0 ? memberIds : null,
      };
  const form = useCheckedForm<AssignmentTerms | NewAssignment>(assignment ? AssignmentTerms : NewAssignment, input);
  const { errors } = form;
  const send = async (body: AssignmentTerms | NewAssignment) => {
    const { error } = assignment
      ? await update({ id: assignment.id, ...(body as AssignmentTerms) })
      : await create(body as NewAssignment);
    if (error) return error as ApiError;
    toast.success(assignment ? `“${body.title}” saved` : `“${body.title}” assigned`);
    onClose();
  };

  return (
    <FormDialog
      {...{ form, send, onClose }}
      title={assignment ? `Edit “${assignment.title}”` : `Assign work to “${group.name}”`}
      failed="Failed to assign the work"
      submitLabel={assignment ? 'Save' : 'Assign'}
      wide
    >
      <TextInput
        label="Title"
        size="sm"
        data-autofocus
        value={typed.title}
        error={errors.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      {!assignment && (
        <>
          <MultiSelect
            label="Sets"
            placeholder={chosen.length === 0 ? 'Search sets' : ''}
            searchable
            limit={50}
            value={chosen}
            error={errorWithin(errors, 'sets')}
            onChange={setChosen}
            data={[
              {
                group: 'Interview sets',
                items: interviewSets.map(({ _id, title }) => ({ value: `interview ${_id}`, label: title })),
              },
              {
                group: 'Practice sets',
                items: practiceSets.map(({ _id, title }) => ({ value: `practice ${_id}`, label: title })),
              },
            ]}
          />
          <MultiSelect
            label="Members"
            description="Leave it empty for everyone in the group, also those who join later."
            placeholder={memberIds.length === 0 ? 'Everyone' : ''}
            searchable
            limit={50}
            value={memberIds}
            error={errorWithin(errors, 'memberIds')}
            onChange={setMemberIds}
            data={group.people.flatMap(({ userId, role, name, email }) =>
              role === 'member' ? [{ value: userId, label: name ? `${name} (${email})` : email }] : [],
            )}
          />
        </>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="Opens"
          size="sm"
          type="datetime-local"
          value={typed.opens}
          error={errors.opensAt}
          onChange={(event) => change({ opens: event.currentTarget.value })}
        />
        <TextInput
          label="Due"
          size="sm"
          type="datetime-local"
          value={typed.due}
          error={errors.dueAt}
          onChange={(event) => change({ due: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Checkbox
        label="Close it once it is due"
        description="Otherwise late work is possible and marked."
        checked={typed.closesLate}
        onChange={(event) => change({ closesLate: event.currentTarget.checked })}
      />
      <NativeSelect
        label="Members see feedback"
        value={typed.feedback}
        data={Object.entries(feedbackNames).map(([value, label]) => ({ value, label }))}
        onChange={(event) => change({ feedback: event.currentTarget.value as FeedbackTime })}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NumberInput
          label="Takes"
          description="Empty for any number"
          min={1}
          max={100}
          value={typed.takes}
          error={errors.takes}
          onChange={(takes) => change({ takes })}
        />
        <NumberInput
          label="Minutes per answer"
          description="Empty for the set's"
          min={0.25}
          max={30}
          step={0.5}
          value={typed.minutes}
          error={errors.timeLimitSeconds}
          onChange={(value) => change({ minutes: value })}
        />
        <NumberInput
          label="Score wanted (%)"
          description="Empty for none"
          min={0}
          max={100}
          value={typed.minimum}
          error={errors.minimumScore}
          onChange={(minimum) => change({ minimum })}
        />
      </SimpleGrid>
    </FormDialog>
  );
}
