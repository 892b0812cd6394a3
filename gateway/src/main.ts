import { createLogger } from '@interview-prep/kit/process/logger';
import { runProcess } from '@interview-prep/kit/process/run-process';
import { createApp } from './app.ts';
import { readSettings } from './config.ts';

const settings = readSettings();
const log = createLogger('gateway', settings.LOG_LEVEL);

await runProcess(settings, log, async (isStopping) => ({ app: createApp({ settings, log, isStopping }), closers: [] }));
