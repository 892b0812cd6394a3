import { join } from 'node:path';
import { prepareDataFolder } from './data-folder.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

/**
 * Takes the lock of a data folder whose product is stopped. `stop` of what it returns gives the lock back.
 * @throws DataFolderBusy at once where the product runs on the folder
 */
export async function lockDataFolder(dataDir: string): Promise<Supervisor> {
  await prepareDataFolder(dataDir);
  return createSupervisor({
    logDir: join(dataDir, 'logs'),
    lockFile: join(dataDir, 'lock'),
    onEvent: () => {},
    lockWaitMs: 0,
  });
}
