import type { Random } from './random.ts';
import type { System } from './system/system.ts';

export interface FaultContext {
  system: System;
  random: Random;
  /** Resolves after this many seconds, or once `isOver`. */
  wait(seconds: number, isOver?: () => boolean): Promise<void>;
}

/** A row of the fault table. */
export interface Fault {
  name: string;
  /** Injects the fault, and ends it unless it ends by itself. */
  run(context: FaultContext): Promise<void>;
  /** Also part of the short form. */
  isShort?: boolean;
  /** Injected only once per run, since it takes long. */
  isOnce?: boolean;
  /** Whether nothing can respond during the fault. */
  isMute?: boolean;
  /** @returns why it can't be injected here, if it can't */
  unavailable?: (system: System) => string | undefined;
}
