import { toast } from '../app/toasts.ts';
import { LeaveGuard } from '../components/leave-guard.tsx';
import { recorderToast } from './toast-id.ts';

interface LeaveSessionGuardProps {
  when: boolean;
  title: string;
  confirmLabel: string;
  savedCount: number;
  questionCount: number;
}

/** Asks before leaving an answering session, and says what is safe. */
export function LeaveSessionGuard({ savedCount, questionCount, ...guard }: LeaveSessionGuardProps) {
  return (
    <LeaveGuard
      {...guard}
      message={`${savedCount} of ${questionCount} answers are saved. What you have just recorded stays on this device: come back to this set to send it and go on.`}
      cancelLabel="Go on"
      onLeave={() => toast.dismiss(recorderToast)}
    />
  );
}
