import type { Account } from '../fuzz/take-sessions.ts';
import type { World } from './world.ts';

/** What the product answered to an attack. */
export interface AttackResult {
  /** Whether the attacker got what they wanted. */
  succeeded: boolean;
  /** What the product answered, in a line. */
  answered: string;
}

/** One line of what somebody may try. */
export interface Attack {
  name: string;
  run(world: World): Promise<AttackResult>;
}

/** A signed-in user of an attack. */
export type Attacker = Account;
