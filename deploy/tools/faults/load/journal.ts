/** One attempt of a call: the status, or the error. Times are in ms since the run began. */
export interface Attempt {
  at: number;
  tookMs: number;
  outcome: number | string;
}

/** A user's operation, with all its retries. */
export interface Operation {
  user: string;
  kind: 'upload' | 'edit' | 'logout' | 'read' | 'revoked token';
  /** Its target: a session and question, a set, or a token. */
  subject: string;
  startedAt: number;
  endedAt: number | undefined;
  attempts: Attempt[];
  isAcknowledged: boolean;
  /** The faults that were active while it was in flight. */
  faults: Set<string>;
}

/** A violated guarantee. */
export interface Violation {
  check:
    | 'lost'
    | 'doubled'
    | 'history'
    | 'monotonic'
    | 'live'
    | 'token'
    | 'pending'
    | 'slow'
    | 'status'
    | 'log'
    | 'memory';
  what: string;
  /** The subject of the affected operations. */
  subject: string;
  faults: readonly string[];
  at: number;
}

/** The record of a run. */
export interface Journal {
  readonly operations: readonly Operation[];
  readonly violations: readonly Violation[];
  readonly faults: readonly { name: string; from: number; to: number | undefined }[];
  /** Ms since the run began. */
  now(): number;
  begin(user: string, kind: Operation['kind'], subject: string): Operation;
  end(operation: Operation, isAcknowledged: boolean): void;
  beginFault(name: string, isMute: boolean): void;
  /** Call when the product is healthy again: later operations are not trials of this fault. */
  endFault(name: string): void;
  /** Call when all earlier work is processed: later violations are not attributed to this fault. */
  closeFault(name: string): void;
  /** Whether a fault with `isMute` has been active since then. */
  wasMuteSince(time: number): boolean;
  report(check: Violation['check'], what: string, subject?: string, faults?: Iterable<string>): void;
  /** Operations that ended while a fault was active. */
  trials(): Operation[];
}

/** The number of violations recorded per kind; later ones are dropped. */
const KEPT_VIOLATIONS = 200;

export function createJournal(onViolation: (violation: Violation) => void): Journal {
  const startedAt = performance.now();
  const operations: Operation[] = [];
  const violations: Violation[] = [];
  const faults: { name: string; from: number; to: number | undefined }[] = [];
  const running = new Set<Operation>();
  const active = new Set<string>();
  const open = new Set<string>();
  const mute = new Set<string>();
  let lastMuteAt = Number.NEGATIVE_INFINITY;
  const now = () => Math.round(performance.now() - startedAt);
  return {
    operations,
    violations,
    faults,
    now,
    begin(user, kind, subject) {
      const operation: Operation = {
        user,
        kind,
        subject,
        startedAt: now(),
        endedAt: undefined,
        attempts: [],
        isAcknowledged: false,
        faults: new Set(active),
      };
      operations.push(operation);
      running.add(operation);
      return operation;
    },
    end(operation, isAcknowledged) {
      operation.endedAt = now();
      operation.isAcknowledged = isAcknowledged;
      running.delete(operation);
    },
    beginFault(name, isMute) {
      active.add(name);
      open.add(name);
      if (isMute) mute.add(name);
      faults.push({ name, from: now(), to: undefined });
      for (const operation of running) operation.faults.add(name);
    },
    endFault(name) {
      active.delete(name);
      if (mute.delete(name)) lastMuteAt = now();
      const fault = faults.findLast((begun) => begun.name === name);
      if (fault) fault.to = now();
    },
    closeFault(name) {
      open.delete(name);
    },
    wasMuteSince: (time) => mute.size > 0 || lastMuteAt >= time,
    report(check, what, subject = '', ofFaults = open) {
      const violation = { check, what, subject, faults: [...ofFaults], at: now() };
      if (violations.filter((known) => known.check === check).length < KEPT_VIOLATIONS) violations.push(violation);
      onViolation(violation);
    },
    trials: () => operations.filter(({ endedAt, faults: met }) => endedAt !== undefined && met.size > 0),
  };
}
