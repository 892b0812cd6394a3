import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface LeaveGuardProps {
  /** Whether there are unsaved changes. */
  when: boolean;
  title?: string;
  message?: string;
  confirmLabel?: string;
  cancelLabel?: string;
  /** Called when leaving is confirmed, before the navigation continues. */
  onLeave?: () => void;
}

/**
 * Asks before leaving with unsaved changes: a dialog inside the app, the browser's own prompt when the tab closes.
 * A change of only the query string doesn't count.
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
      destructive={false}
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
