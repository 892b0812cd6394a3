import { parseSettings, publicUrlSettings, tokenSettings } from '@interview-prep/kit/config';
import { mediaTokenSettings } from '@interview-prep/kit/media-tokens';
import { retentionSettings } from './deletions/retention.ts';
import { exportLimitSettings } from './export/routes.ts';
import { streamLimitSettings } from './live/streams.ts';
import { sharedSettings } from './shared-settings.ts';
import { shareSettings } from './shares/routes.ts';
import { uploadLimitSettings } from './uploads/upload-limits.ts';
import { virusScanSettings } from './uploads/virus-scan.ts';

/** Settings of the HTTP process. */
export function readApiSettings(environment?: NodeJS.ProcessEnv) {
  return parseSettings(
    {
      ...sharedSettings,
      ...tokenSettings,
      ...mediaTokenSettings,
      ...publicUrlSettings,
      ...uploadLimitSettings,
      ...streamLimitSettings,
      ...retentionSettings,
      ...exportLimitSettings,
      ...virusScanSettings,
      ...shareSettings,
    },
    environment,
  );
}
