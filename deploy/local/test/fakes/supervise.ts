/**
 * Supervises two fakes until it is killed. Prints `up` once both are ready, and each death and recovery.
 *
 *     node supervise.ts FOLDER PORT PORT
 */
import { createSupervisor } from '../../src/supervisor.ts';
import { fakeSpec } from './spec.ts';

const [folder = '', ...ports] = process.argv.slice(2);
const supervisor = await createSupervisor({
  logDir: folder,
  lockFile: `${folder}/lock`,
  onEvent: ({ kind, name }) => kind !== 'started' && console.log(`${name} ${kind}`),
});
process.once('SIGTERM', () => void supervisor.stop().then(() => process.exit(0)));
await supervisor.start('services', fakeSpec(folder, 'one', Number(ports[0])));
await supervisor.start('backing', fakeSpec(folder, 'two', Number(ports[1]), { FAKE_STUBBORN: 'yes' }));
console.log('up');
