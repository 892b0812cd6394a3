import { reviewTextMaxLength } from '@interview-prep/contracts/recording/reviews';
import { Box, Button, Group, Textarea } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts.ts';
import type { OfAnswer } from '../history-api.ts';
import { useAppealMutation } from './reviews-api.ts';

interface RequestReviewProps extends OfAnswer {
  /** Whether it is a link within a point instead of a button for the answer. */
  compact?: boolean;
}

/** Lets the one who answered request a human review. */
export function RequestReview({ recordingId, detailId, compact = false }: RequestReviewProps) {
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
        {...(compact ? { variant: 'subtle', size: 'compact-xs' } : { variant: 'default', size: 'xs' })}
        leftSection={<IconUserQuestion size={14} aria-hidden />}
        onClick={() => setReason('')}
      >
        Request a human review
      </Button>
    );
  }
  const send = async () => {
    try {
      const { message } = await appeal({ recordingId, detailId, reason: reason.trim() }).unwrap();
      toast.success(message);
    } catch (error) {
      toast.error(errorMessage(error, 'Failed to request a human review'));
    }
  };
  return (
    <Box w="100%" pl={compact ? 8 : 0}>
      <Textarea
        ref={field}
        maw="var(--form-width)"
        label="What is wrong with this verdict?"
        description="A person will listen to your answer and score it."
        autosize
        minRows={2}
        maxLength={reviewTextMaxLength}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Group mt="xs" gap="xs">
        <Button size="xs" loading={isLoading} disabled={reason.trim() === ''} onClick={send}>
          Request a human review
        </Button>
        <Button size="xs" variant="default" disabled={isLoading} onClick={() => setReason(null)}>
          Cancel
        </Button>
      </Group>
    </Box>
  );
}
