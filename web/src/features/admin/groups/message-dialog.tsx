import { type GroupDetail, GroupMessage } from '@interview-prep/contracts/auth/groups';
import { Button, Modal, Group as Row, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { type ApiError, errorMessage } from '../../../lib/api/api-error.ts';
import { useMessageGroupMutation } from '../../../lib/api/groups-api.ts';
import { countOf } from '../../../lib/count-of.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { toast } from '../../../lib/toasts.ts';
import { FormError } from '../busy-fieldset.tsx';
import { useCheckedForm } from '../use-checked-form.ts';
import type { RosterMember } from './roster-rows.ts';

interface MessageDialogProps {
  group: GroupDetail;
  members: readonly RosterMember[];
  onClose: () => void;
}

/** Writes a mail to members of a group; each gets one of their own, and replies come to the coach. */
export function MessageDialog({ group, members, onClose }: MessageDialogProps) {
  const small = useMediaQuery('(max-width: 48em)');
  const ownEmail = useAppSelector(selectUser)?.email;
  const [message] = useMessageGroupMutation();
  const [typed, setTyped] = useState({ subject: '', text: '' });
  const [refusal, setRefusal] = useState<string>();
  const change = (part: Partial<typeof typed>) => {
    setTyped({ ...typed, ...part });
    setRefusal(undefined);
  };
  const unreached = members.filter(({ person }) => person.workMail === false).length;
  const who = countOf(members.length, 'member');
  const { form, errors, busy, submit } = useCheckedForm<GroupMessage>(GroupMessage, {
    userIds: members.map(({ person }) => person.userId),
    ...typed,
  });
  const send = async (body: GroupMessage) => {
    const { data, error } = await message({ id: group.id, ...body });
    if (data) {
      const left = data.unreached.length;
      const rest = left > 0 ? `; ${left} ${left === 1 ? 'gets' : 'get'} no emails about assigned work` : '';
      if (data.mailed > 0) toast.success(`Email to ${countOf(data.mailed, 'member')} is on its way${rest}`);
      else toast.error(`No email was sent${rest}`);
      onClose();
      return;
    }
    const refused = error as ApiError;
    if (!refused.details) setRefusal(errorMessage(error, 'Failed to send the email'));
    return refused;
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Email ${who}`}
      size={640}
      fullScreen={small ?? false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form ref={form} onSubmit={(event) => submit(event, send)} noValidate>
        <Stack>
          <Text size="sm">
            Each gets an email of their own, with your name and address; replies go to {ownEmail ?? 'you'}.
            {unreached > 0 &&
              ` ${unreached} of them ${unreached === 1 ? 'gets' : 'get'} none: emails about assigned work are off.`}
          </Text>
          <TextInput
            label="Subject"
            data-autofocus
            value={typed.subject}
            error={errors.subject}
            onChange={(event) => change({ subject: event.currentTarget.value })}
          />
          <Textarea
            label="Message"
            size="md"
            autosize
            minRows={6}
            maxRows={14}
            value={typed.text}
            error={errors.text}
            onChange={(event) => change({ text: event.currentTarget.value })}
          />
          {refusal && <FormError>{refusal}</FormError>}
          <Row justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              Send
            </Button>
          </Row>
        </Stack>
      </form>
    </Modal>
  );
}
