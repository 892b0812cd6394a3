import { lazy, Suspense, useEffect, useState } from 'react';
import { hostStepUp } from '../../lib/step-up.ts';

const StepUpDialog = lazy(() => import('../../features/account/security/step-up-dialog.tsx'));

/** Shows the dialog that asks users to confirm who they are, when a call needs it. */
export function StepUpHost() {
  const [asking, setAsking] = useState<{ settle: (confirmed: boolean) => void } | null>(null);
  useEffect(() => hostStepUp((settle) => setAsking({ settle })), []);
  // If the shell is removed, a call that waits continues as if the user had cancelled.
  useEffect(() => () => asking?.settle(false), [asking]);
  if (!asking) return null;
  const settle = (confirmed: boolean) => {
    asking.settle(confirmed);
    setAsking(null);
  };
  return (
    <Suspense fallback={null}>
      <StepUpDialog onSettled={settle} />
    </Suspense>
  );
}
