import { runMigrateCommand } from '@interview-prep/kit/mongo/migrate-command';
import { migrations } from './migrations/migrations.ts';

await runMigrateCommand('recording', migrations);
