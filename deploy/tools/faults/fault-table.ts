import type { Fault } from './fault.ts';
import { diskFaults } from './faults-of-disks.ts';
import { networkFaults } from './faults-of-networks.ts';
import { processFaults } from './faults-of-processes.ts';
import { redisFaults } from './faults-of-redis.ts';
import { wholeFaults } from './faults-of-the-whole.ts';

/** Every fault that can be injected. */
export const faultTable: readonly Fault[] = [
  ...redisFaults,
  ...wholeFaults,
  ...networkFaults,
  ...diskFaults,
  ...processFaults,
];

/**
 * The order of one pass through the table: first what is over soon, so that a short run has met all kinds of faults.
 * @param only names or parts of names; empty for all
 */
export function chooseFaults(only: readonly string[], isShort: boolean): Fault[] {
  const chosen = faultTable.filter(({ name, isShort: short = false }) =>
    only.length > 0 ? only.some((part) => name.includes(part)) : short || !isShort,
  );
  return chosen.toSorted((a, b) => rankOf(a) - rankOf(b));
}

const rankOf = ({ isShort = false, isOnce = false }: Fault) => (isShort ? 0 : isOnce ? 2 : 1);
