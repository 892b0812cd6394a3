import { reviewTextMaxLength } from '@interview-prep/contracts/reviews';
import { Button, Group, Textarea } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { useAppealMutation } from './reviews-api.ts';

/** Lets the one who answered ask a person to judge the answer. */
export function AskPerson({ recordingId, detailId }: { recordingId: string; detailId: string }) {
  const [reason, setReason] = useState<string | null>(null);
  const [appeal, { isLoading }] = useAppealMutation();
  const field = useRef<HTMLTextAreaElement>(null);
  const isOpen = reason !== null;
  useEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen]);

  if (reason === null) {
    return (
      <Button
        variant="default"
        size="xs"
        leftSection={<IconUserQuestion size={14} aria-hidden />}
        onClick={() => setReason('')}
      >
        Ask a person
      </Button>
    );
  }
  const send = async () => {
    try {
      const { message } = await appeal({ recordingId, detailId, reason: reason.trim() }).unwrap();
      toast.success(message);
    } catch (error) {
      toast.error(errorMessage(error, 'Failed to ask a person'));
    }
  };
  return (
    <div>
      <Textarea
        ref={field}
        label="What is wrong with this verdict?"
        description="An admin reads it, listens to your answer, and gives a verdict of their own."
        autosize
        minRows={2}
        maxLength={reviewTextMaxLength}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Group mt="xs" gap="xs">
        <Button size="xs" loading={isLoading} disabled={reason.trim() === ''} onClick={send}>
          Ask a person
        </Button>
        <Button size="xs" variant="default" disabled={isLoading} onClick={() => setReason(null)}>
          Cancel
        </Button>
      </Group>
    </div>
  );
}
