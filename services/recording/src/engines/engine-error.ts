/**
 * An engine could not do its work. `message` is a reason that a person can read: it becomes the job's failure reason.
 * `permanent` means that trying again changes nothing; `retryAfterMs` is how long the engine asked to be left alone;
 * `unreachable` means that nobody was there to be asked; `crashed` that the engine died or hung over this recording;
 * `unusable` that it cannot do anything on this machine as it is.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly permanent: boolean;
  readonly retryAfterMs: number | null;
  readonly unreachable: boolean;
  readonly crashed: boolean;
  readonly unusable: boolean;

  constructor(
    reason: string,
    options: {
      permanent: boolean;
      retryAfterMs?: number | null;
      unreachable?: boolean;
      crashed?: boolean;
      unusable?: boolean;
      cause?: unknown;
    },
  ) {
    super(reason, { cause: options.cause });
    this.permanent = options.permanent;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.unreachable = options.unreachable ?? false;
    this.crashed = options.crashed ?? false;
    this.unusable = options.unusable ?? false;
  }

  /** For kit's `outageOf`. */
  get outage(): 'engine' | null {
    return this.unreachable ? 'engine' : null;
  }
}
