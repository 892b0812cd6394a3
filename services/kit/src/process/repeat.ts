/**
 * Runs work now and every `everyMs`, one run at a time: a run that is due during another is skipped.
 * @param onError receives a run's error; later runs are not affected
 * @returns a function that stops it, and waits for the run in progress
 */
export function repeat(
  everyMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= work()
      .then(() => undefined, onError)
      .finally(() => {
        running = undefined;
      });
  };
  run();
  const timer = setInterval(run, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
