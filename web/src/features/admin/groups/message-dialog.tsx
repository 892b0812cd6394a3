import { type GroupDetail, GroupMessage } from '@interview-prep/contracts/auth/groups';
import { Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { useMessageGroupMutation } from '../../../lib/api/groups-api.ts';
import { countOf } from '../../../lib/formats.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { toast } from '../../../lib/toasts.ts';
import { FormDialog } from '../form-dialog.tsx';
import { useCheckedForm } from '../use-checked-form.ts';
import type { RosterMember } from './roster-rows.ts';

interface MessageDialogProps {
  group: GroupDetail;
  members: readonly RosterMember[];
  onClose: () => void;
}

/** Emails members of a group individually; replies go to the coach. */
export function MessageDialog({ group, members, onClose }: MessageDialogProps) {
  const ownEmail = useAppSelector(selectUser)?.email;
  const [message] = useMessageGroupMutation();
  const [typed, setTyped] = useState({ subject: '', text: '' });
  const change = (part: Partial<typeof typed>) => setTyped({ ...typed, ...part });
  const unreached = members.filter(({ person }) => person.workMail === false).length;
  const who = countOf(members.length, 'member');
  const form = useCheckedForm<GroupMessage>(GroupMessage, {
    userIds: members.map(({ person }) => person.userId),
    ...typed,
  });
  const send = async (body: GroupMessage) => {
    const { data, error } = await message({ id: group.id, ...body });
    if (!data) return error as ApiError;
    const left = data.unreached.length;
    const rest = left > 0 ? `; ${left} ${left === 1 ? 'gets' : 'get'} no emails about assigned work` : '';
    if (data.mailed > 0) toast.success(`Email to ${countOf(data.mailed, 'member')} is on its way${rest}`);
    else toast.error(`No email was sent${rest}`);
    onClose();
  };
  return (
    <FormDialog
      {...{ form, send, onClose }}
      title={`Email ${who}`}
      failed="Failed to send the email"
      submitLabel="Send"
      wide
    >
      <Text size="sm">
        Each gets an email of their own, with your name and address; replies go to {ownEmail ?? 'you'}.
        {unreached > 0 &&
          ` ${unreached} of them ${unreached === 1 ? 'gets' : 'get'} none: emails about assigned work are off.`}
      </Text>
      <TextInput
        label="Subject"
        data-autofocus
        value={typed.subject}
        error={form.errors.subject}
        onChange={(event) => change({ subject: event.currentTarget.value })}
      />
      <Textarea
        label="Message"
        size="md"
        autosize
        minRows={6}
        maxRows={14}
        value={typed.text}
        error={form.errors.text}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
    </FormDialog>
  );
}
