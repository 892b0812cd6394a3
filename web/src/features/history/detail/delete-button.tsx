import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts.ts';

interface DeleteButtonProps {
  /** Names what is deleted: 'Delete session'. */
  label: string;
  /** What will be gone. */
  children: ReactNode;
  /** @throws ApiError */
  onDelete: () => Promise<unknown>;
  /** The toasts. */
  done: string;
  failed: string;
}

/** A button that asks before it deletes what cannot be brought back. */
export function DeleteButton({ label, children, onDelete, done, failed }: DeleteButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const confirm = async () => {
    setIsBusy(true);
    try {
      await onDelete();
      toast.success(done);
    } catch (error) {
      toast.error(errorMessage(error, failed));
    } finally {
      setIsBusy(false);
      setIsAsking(false);
    }
  };
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => setIsAsking(true)}
      >
        {label}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={`${label}?`}
        confirmLabel={label}
        busy={isBusy}
        onConfirm={() => void confirm()}
        onCancel={() => setIsAsking(false)}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
