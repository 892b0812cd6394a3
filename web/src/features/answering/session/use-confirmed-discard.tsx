import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';

/** Asks before a recording that the server does not have is deleted. */
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
