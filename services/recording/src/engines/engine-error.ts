/**
 * An engine failed. `message` is human-readable: it becomes the job's failure reason.
 * `permanent`: retrying won't help. `retryAfterMs`: the pause that the engine asked for. `unreachable`: its server did not
 * answer. `crashed`: it died or hung on this recording. `unusable`: it can't work on this machine at all.
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
