import { type Settings, UnusableSetting } from '@interview-prep/kit/process/config';
import { tlsFault } from '@interview-prep/kit/process/tls-files';
import { S3Error } from './store-refusal.ts';

export const objectStoreSettings = ['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_BUCKET', 'S3_REGION'] as const;

export type ObjectStoreSettings = Settings<(typeof objectStoreSettings)[number]>;

type SettingName = keyof ObjectStoreSettings;

/** The setting at fault for each of S3's error codes that retrying won't fix. Source: Amazon's "Error responses". */
const settingOfCode: Readonly<Record<string, SettingName>> = {
  InvalidAccessKeyId: 'S3_ACCESS_KEY',
  // versitygw's name for it.
  XAdminUserNotFound: 'S3_ACCESS_KEY',
  AccessDenied: 'S3_ACCESS_KEY',
  AllAccessDisabled: 'S3_ACCESS_KEY',
  SignatureDoesNotMatch: 'S3_SECRET_KEY',
  AuthorizationHeaderMalformed: 'S3_REGION',
  AuthorizationQueryParametersError: 'S3_REGION',
  IllegalLocationConstraintException: 'S3_REGION',
  InvalidRegion: 'S3_REGION',
  PermanentRedirect: 'S3_REGION',
  BucketAlreadyExists: 'S3_BUCKET',
  InvalidBucketName: 'S3_BUCKET',
};

/** Advice for the operator, for errors whose S3 message has none. */
const advice: Readonly<Record<string, string>> = {
  AccessDenied: 'the key needs s3:ListBucket on the bucket, and s3:CreateBucket where the bucket does not exist',
};

/** The setting to blame for an error of the first call; null for a transient error. */
export function unusableSetting(error: unknown): UnusableSetting | null {
  const fault = tlsFault(error);
  if (fault) return new UnusableSetting('S3_ENDPOINT', fault, error);
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof S3Error)) continue;
    const setting = settingOfCode[cause.code] ?? (cause.code === '' && cause.status === 400 ? 'S3_ENDPOINT' : null);
    if (!setting) return null;
    const reason = [cause.message, advice[cause.code]].filter(Boolean).join('; ');
    return new UnusableSetting(setting, reason, error);
  }
  return null;
}
