/** Shows the dialog, and calls `settle` with whether the user confirmed who they are. */
type StepUpHost = (settle: (confirmed: boolean) => void) => void;

let host: StepUpHost | null = null;
let asking: Promise<boolean> | null = null;

/** The shell shows the dialog while it is there. @returns takes the host back */
export function hostStepUp(show: StepUpHost): () => void {
  host = show;
  return () => {
    host = null;
  };
}

/** Asks the user to confirm who they are: once, however many calls the server refused for it. False where nothing can ask. */
export function askToConfirm(): Promise<boolean> {
  const show = host;
  if (!show) return Promise.resolve(false);
  asking ??= new Promise<boolean>((resolve) => show(resolve)).finally(() => {
    asking = null;
  });
  return asking;
}
