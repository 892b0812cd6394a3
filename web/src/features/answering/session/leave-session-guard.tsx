import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { toast } from '../../../lib/toasts.ts';
import { recorderToast } from './upload-outcome.ts';

interface LeaveSessionGuardProps {
  when: boolean;
  title: string;
  confirmLabel: string;
  /** Whether the browser's database has the latest recording; if not, it only exists in this tab. */
  persisted: boolean;
  savedCount: number;
  questionCount: number;
}

/** Confirms leaving a session and tells which answers are safe. */
export function LeaveSessionGuard({ persisted, savedCount, questionCount, ...guard }: LeaveSessionGuardProps) {
  const unsent = persisted
    ? 'Your latest recording stays on this device. Open this session again to send it and continue.'
    : 'Your latest recording is in this tab only because the browser could not store it. Open this session again in this tab to send it and continue. It is lost if you close or reload the tab.';
  return (
    <LeaveGuard
      {...guard}
      message={`${savedCount} of ${questionCount} answers are saved. ${unsent}`}
      cancelLabel="Keep going"
      onLeave={() => toast.dismiss(recorderToast)}
    />
  );
}
