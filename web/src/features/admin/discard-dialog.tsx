import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { Confirmation } from './use-confirm.ts';

interface DiscardDialogProps<T> {
  /** Asks about the item to edit next. */
  confirmation: Confirmation<T>;
  onDiscard: (next: T) => void;
  /** Says what would be lost. */
  children: ReactNode;
}

/** Asks before starting another edit while the current one has unsaved changes. */
export function DiscardDialog<T>({ confirmation, onDiscard, children }: DiscardDialogProps<T>) {
  return (
    <ConfirmDialog
      opened={confirmation.opened}
      title="Discard changes?"
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={() => {
        confirmation.close();
        if (confirmation.about) onDiscard(confirmation.about);
      }}
      onCancel={confirmation.close}
    >
      {children}
    </ConfirmDialog>
  );
}
