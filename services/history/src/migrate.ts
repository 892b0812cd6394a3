import { runMigrateCommand } from '@interview-prep/kit/mongo/migrations';
import { migrations } from './migrations/migrations.ts';

await runMigrateCommand('history', migrations);
