/** Whether a call succeeded. Its caller shows a failure. */
export function isAccepted(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  );
}
