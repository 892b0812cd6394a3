/**
 * A recording could not be read or converted. `message` is the reason, in words for the candidate. `permanent`: retrying
 * won't help.
 */
export class MediaError extends Error {
  override readonly name = 'MediaError';
  readonly permanent: boolean;

  constructor(reason: string, options: { permanent: boolean; cause?: unknown }) {
    super(reason, { cause: options.cause });
    this.permanent = options.permanent;
  }
}
