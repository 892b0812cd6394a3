import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Environment, REPOSITORY } from './settings.ts';
import { StartupError } from './startup-error.ts';

/** The settings that `npm start` reads itself and that may be secret. A service reads the files of its own. */
const OWN =
  /^(MONGODB_URI|REDIS_URL|S3_(ENDPOINT|ACCESS_KEY|SECRET_KEY|REGION|BUCKET)|SMTP_URL|DEMO_PASSWORD|METRICS_TOKEN)$/;

/**
 * The environment with the content of files that `NAME_FILE` names, as vaults and Docker write them, without the end of a last
 * line. A path is relative to the repository.
 * @throws StartupError that lists the files that cannot be read, and the settings that are given twice
 */
export function withSettingFiles(environment: Environment): Environment {
  const read: Record<string, string> = {};
  const problems: string[] = [];
  for (const [fileName, path] of Object.entries(environment)) {
    const name = fileName.replace(/_FILE$/, '');
    if (name === fileName || !OWN.test(name) || !path) continue;
    try {
      if (environment[name]) throw new Error(`${name} is set as well: set one of them`);
      read[name] = readFileSync(resolve(REPOSITORY, path), 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      problems.push(`${fileName}: ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new StartupError(`Cannot start with ${problems.join('; ')}.`);
  return { ...environment, ...read };
}
