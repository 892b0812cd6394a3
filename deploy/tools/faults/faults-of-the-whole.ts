import type { Fault, FaultContext } from './fault.ts';

const HOUR_MS = 3_600_000;

async function shiftClocks({ system, wait }: FaultContext, offsetMs: number): Promise<void> {
  system.shiftClocks(offsetMs);
  await wait(10);
  system.shiftClocks(0);
}

/** Faults of the whole machine. */
export const wholeFaults: readonly Fault[] = [
  {
    name: 'power cut',
    isShort: true,
    isMute: true,
    async run({ system }) {
      await system.freezeAndKill(() => system.disks.copy());
      await system.disks.restoreCopy();
      await system.start();
    },
  },
  {
    name: 'everything killed',
    isMute: true,
    async run({ system }) {
      await system.killAll();
      await system.start();
    },
  },
  { name: 'clocks an hour behind', run: (context) => shiftClocks(context, -HOUR_MS) },
];
