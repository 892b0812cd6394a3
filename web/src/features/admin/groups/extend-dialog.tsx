import { type Assignment, NewExtension } from '@interview-prep/contracts/recording/assignments';
import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { useExtendAssignmentMutation } from '../../../lib/api/assignments-api.ts';
import { countOf, detailDate } from '../../../lib/formats.ts';
import { toast } from '../../../lib/toasts.ts';
import { FormDialog } from '../form-dialog.tsx';
import { useCheckedForm } from '../use-checked-form.ts';
import { instantOf, localTime } from './assignment-dialog.tsx';
import type { RosterMember } from './roster-rows.ts';

const dayMs = 86_400_000;

interface ExtendDialogProps {
  assignment: Assignment;
  members: readonly RosterMember[];
  onClose: () => void;
}

/** Gives members a later due date, in the coach's time zone, or removes their extensions. */
export function ExtendDialog({ assignment, members, onClose }: ExtendDialogProps) {
  const [extend] = useExtendAssignmentMutation();
  const latest = Math.max(Date.now(), ...members.map(({ dueAt }) => Date.parse(dueAt ?? '') || 0));
  const [due, setDue] = useState(() => localTime(latest + 2 * dayMs));
  const userIds = members.map(({ person }) => person.userId);
  const who = countOf(members.length, 'member');
  const form = useCheckedForm<NewExtension>(NewExtension, {
    userIds,
    // An empty field doesn't remove an extension.
    dueAt: instantOf(due) ?? '',
  });
  const send = async ({ dueAt }: Pick<NewExtension, 'dueAt'>) => {
    const { error } = await extend({ id: assignment.id, userIds, dueAt });
    if (error) return error as ApiError;
    toast.success(dueAt ? `Due ${detailDate(dueAt)} for ${who}` : `The due date of all applies to ${who} again`);
    onClose();
  };
  return (
    <FormDialog
      {...{ form, send, onClose }}
      title={`Extend for ${who}`}
      failed="Failed to change the due date"
      submitLabel="Extend"
      buttons={
        members.some(({ extended }) => extended) && (
          <Button
            variant="light"
            color="red"
            disabled={form.busy}
            onClick={() => form.attempt(() => send({ dueAt: null }))}
          >
            Remove extension
          </Button>
        )
      }
    >
      <Text size="sm">
        For everyone else it is due {detailDate(assignment.dueAt)}. They get an email, unless they turned emails about
        assigned work off. What was begun late stays marked as late.
      </Text>
      <TextInput
        label="Due"
        type="datetime-local"
        data-autofocus
        value={due}
        error={form.errors.dueAt}
        onChange={(event) => setDue(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
