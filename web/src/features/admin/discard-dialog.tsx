import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { Question } from './use-confirm.ts';

interface DiscardDialogProps<T> {
  question: Question<T>;
  /** Goes on to what was asked about. */
  onDiscard: (next: T) => void;
  /** What would be lost. */
  children: ReactNode;
}

/** Asks before one edit takes the place of another that is not saved. */
export function DiscardDialog<T>({ question, onDiscard, children }: DiscardDialogProps<T>) {
  return (
    <ConfirmDialog
      opened={question.opened}
      title="Discard the changes?"
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={() => {
        question.close();
        if (question.about) onDiscard(question.about);
      }}
      onCancel={question.close}
    >
      {children}
    </ConfirmDialog>
  );
}
