import type { Container } from '../../../services/recording/src/media/sniff-media.ts';
import { attackFiles } from '../../../services/recording/test/hostile-media/attack-files.ts';
import { goodFiles } from '../../../services/recording/test/hostile-media/good-files.ts';
import {
  allowedCost,
  type MediaCost,
  measureMedia,
  takenAs,
} from '../../../services/recording/test/hostile-media/measure-media.ts';
import { mutate } from '../../../services/recording/test/hostile-media/mutations.ts';
import type { Measure } from './measure.ts';

const mutationsPerContainer = 500;
const containers: readonly Container[] = ['webm', 'mp4', 'ogg', 'mp3', 'wav'];

/** What the files of one kind cost at the most. */
interface Worst {
  files: number;
  refused: number;
  seconds: number;
  memoryMegabytes: number;
  diskMegabytes: number;
}

function add(worst: Worst, cost: MediaCost): void {
  if (cost.triedAgain) throw new Error(`A hostile file would be tried again: ${cost.reason}`);
  worst.files += 1;
  if (cost.reason !== null) worst.refused += 1;
  for (const name of ['seconds', 'memoryMegabytes', 'diskMegabytes'] as const)
    worst[name] = Math.max(worst[name], cost[name]);
}

const none = (): Worst => ({ files: 0, refused: 0, seconds: 0, memoryMegabytes: 0, diskMegabytes: 0 });

const row = (name: string, { files, refused, ...worst }: Worst): string =>
  `| ${[name, files, refused, worst.seconds.toFixed(2), worst.memoryMegabytes.toFixed(0), worst.diskMegabytes.toFixed(1)].join(' | ')} |`;

/** What hostile and damaged files cost a worker. Files that an upload would not take are left out. */
export const hostileMedia: Measure = {
  what: 'processor time for the costliest of the attack files and 500 damaged files of each container',
  unit: 's',
  limit: allowedCost.seconds,
  async run({ folder, say }) {
    say('| files | taken | refused | processor, s | memory, MB | disk, MB |');
    say('|---|---|---|---|---|---|');
    const attacks = none();
    for (const { container, make } of attackFiles) add(attacks, await measureMedia(make(), container));
    say(row('attack files', attacks));
    const all = [attacks];
    for (const container of containers) {
      const good = await goodFiles(container, folder);
      const damaged = none();
      for (let seed = 0; seed < mutationsPerContainer; seed++) {
        const bytes = mutate(good[seed % good.length]!, seed);
        const as = takenAs(bytes);
        if (as) add(damaged, await measureMedia(bytes, as));
      }
      say(row(`damaged ${container}`, damaged));
      all.push(damaged);
    }
    const worst = (name: 'seconds' | 'memoryMegabytes' | 'diskMegabytes') => Math.max(...all.map((one) => one[name]));
    for (const name of ['memoryMegabytes', 'diskMegabytes'] as const) {
      if (worst(name) > allowedCost[name]) throw new Error(`A hostile file took ${worst(name)} ${name}`);
    }
    const files = all.reduce((sum, one) => sum + one.files, 0);
    const from = `${files} files; at the most ${worst('memoryMegabytes').toFixed(0)} MB of memory, ${worst('diskMegabytes').toFixed(1)} MB of disk`;
    return { value: worst('seconds'), from };
  },
};
