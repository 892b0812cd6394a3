import type { Random } from './random.ts';
import type { System } from './system/system.ts';

/** What a fault works with. */
export interface FaultContext {
  system: System;
  random: Random;
  /** Resolves after this many seconds, or once `isOver`. */
  wait(seconds: number, isOver?: () => boolean): Promise<void>;
}

/** A row of the table of faults. */
export interface Fault {
  name: string;
  /** Injects it, and ends it unless it ends by itself. */
  run(context: FaultContext): Promise<void>;
  /** In the short form too. */
  isShort?: boolean;
  /** Injected once in a run: it takes long. */
  isOnce?: boolean;
  /** Leaves nobody to answer while it lasts. */
  isMute?: boolean;
  /** Whether it can be injected here. @returns why not, in a few words */
  unavailable?: (system: System) => string | undefined;
}
