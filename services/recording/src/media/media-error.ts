/**
 * A recording could not be read or converted. `message` is a reason that a person can read: it becomes the job's failure
 * reason. `permanent` means that trying again changes nothing.
 */
export class MediaError extends Error {
  override readonly name = 'MediaError';
  readonly permanent: boolean;

  constructor(reason: string, options: { permanent: boolean; cause?: unknown }) {
    super(reason, { cause: options.cause });
    this.permanent = options.permanent;
  }
}
