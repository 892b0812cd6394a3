import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';

/** Confirms before deleting a recording that the server doesn't have. */
export function useConfirmedDiscard(): {
  ask: (confirmLabel: string, discard: () => void) => void;
  dialog: ReactNode;
} {
  const [asked, setAsked] = useState<{ confirmLabel: string; discard: () => void } | null>(null);
  const dialog = (
    <ConfirmDialog
      opened={asked !== null}
      title="Delete this recording?"
      confirmLabel={asked?.confirmLabel ?? ''}
      cancelLabel="Keep it"
      onCancel={() => setAsked(null)}
      onConfirm={() => {
        asked?.discard();
        setAsked(null);
      }}
    >
      What you said in this answer hasn't been sent, and can't be restored.
    </ConfirmDialog>
  );
  return { ask: (confirmLabel, discard) => setAsked({ confirmLabel, discard }), dialog };
}
