/** Shows the dialog, and calls `settle` with whether the user confirmed their identity. */
type StepUpHost = (settle: (confirmed: boolean) => void) => void;

let host: StepUpHost | null = null;
let asking: Promise<boolean> | null = null;

/** Registers the shell as the host of the dialog. @returns unregisters it */
export function hostStepUp(show: StepUpHost): () => void {
  host = show;
  return () => {
    host = null;
  };
}

/** Asks the user to confirm their identity, once for concurrent calls. False without a host. */
export function askToConfirm(): Promise<boolean> {
  const show = host;
  if (!show) return Promise.resolve(false);
  asking ??= new Promise<boolean>((resolve) => show(resolve)).finally(() => {
    asking = null;
  });
  return asking;
}
