import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { type OfAnswer, useReprocessMutation } from '../history-api.ts';

/** The answer to process again. */
export interface OfReprocess extends OfAnswer {
  kind: SessionKind;
}

/** Has an answer processed again. */
export function ReprocessButton({ label, ...answer }: OfReprocess & { label: string }) {
  const [reprocess, { isLoading }] = useReprocessMutation();
  const again = async () => {
    try {
      await reprocess(answer).unwrap();
    } catch (error) {
      toast.error(errorMessage(error, 'Failed to process the recording again'));
    }
  };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconRefresh size={14} aria-hidden />}
      loading={isLoading}
      onClick={again}
    >
      {label}
    </Button>
  );
}
