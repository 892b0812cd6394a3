import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { toast } from '../../../lib/toasts.ts';
import { recorderToast } from './recorder-toast.ts';

interface LeaveSessionGuardProps {
  when: boolean;
  title: string;
  confirmLabel: string;
  /** Whether the browser's database has what was recorded last; else it is in this tab only. */
  kept: boolean;
  savedCount: number;
  questionCount: number;
}

/** Asks before leaving an answering session, and says what is safe. */
export function LeaveSessionGuard({ kept, savedCount, questionCount, ...guard }: LeaveSessionGuardProps) {
  const unsent = kept
    ? 'What you have just recorded stays on this device: come back to this set to send it and go on.'
    : 'What you have just recorded is in this tab only, for the browser could not store it: come back to this set in this tab to send it and go on. It is lost if the tab is closed or reloaded.';
  return (
    <LeaveGuard
      {...guard}
      message={`${savedCount} of ${questionCount} answers are saved. ${unsent}`}
      cancelLabel="Go on"
      onLeave={() => toast.dismiss(recorderToast)}
    />
  );
}
