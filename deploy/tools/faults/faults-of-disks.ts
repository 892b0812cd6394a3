import type { Fault } from './fault.ts';
import type { Disk } from './system/disks.ts';

const DISKS: readonly Disk['name'][] = ['mongo', 'redis', 's3', 'spool', 'logs'];

/** Each data folder's disk full for some seconds. */
export const diskFaults: readonly Fault[] = DISKS.map((name) => ({
  name: `disk of ${name} full`,
  unavailable: ({ disks }) => (disks.isMounted ? undefined : 'needs root, to mount small disks'),
  async run({ system, wait }) {
    await system.disks.fill(name);
    await wait(6);
    system.disks.free(name);
  },
}));
