import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface LeaveGuardProps {
  /** Whether something would be lost. */
  when: boolean;
  title?: string;
  message?: string;
  confirmLabel?: string;
  cancelLabel?: string;
  /** Runs when leaving is confirmed, before the navigation goes on. */
  onLeave?: () => void;
}

/**
 * Asks before leaving with something unsaved: by a dialog inside the app, by the browser's own question when the tab closes.
 * A change of the query string on the same page is not leaving.
 */
export function LeaveGuard({
  when,
  title = 'Leave without saving?',
  message = 'Your changes are not saved yet. If you leave, they will be lost.',
  confirmLabel = 'Leave',
  cancelLabel = 'Stay',
  onLeave,
}: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => when && currentLocation.pathname !== nextLocation.pathname,
  );

  useEffect(() => {
    if (!when) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [when]);

  return (
    <ConfirmDialog
      opened={blocker.state === 'blocked'}
      title={title}
      confirmLabel={confirmLabel}
      cancelLabel={cancelLabel}
      onConfirm={() => {
        onLeave?.();
        blocker.proceed?.();
      }}
      onCancel={() => blocker.reset?.()}
    >
      {message}
    </ConfirmDialog>
  );
}
