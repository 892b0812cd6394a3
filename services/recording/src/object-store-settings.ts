import { UnusableSetting } from '@interview-prep/kit/config';
import { tlsFault } from '@interview-prep/kit/tls-fault';
import { z } from 'zod';
import { S3Error } from './s3-error.ts';

/** Amazon's rule for bucket names, without its reserved prefixes. */
const bucketName = /^(?!\d+\.\d+\.\d+\.\d+$)(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** An S3 server's address. Buckets are addressed by path, so it has no path of its own. */
const endpoint = z
  .url({ protocol: /^https?$/, error: 'must begin with http:// or https://', abort: true })
  .refine((url) => {
    const { pathname, search, hash, username } = new URL(url);
    return pathname === '/' && search + hash + username === '';
  }, 'must be an address without a path, such as https://s3.example.com:9000');

/** The object store for media: any server that speaks S3. */
export const objectStoreSettings = {
  S3_ENDPOINT: endpoint,
  S3_ACCESS_KEY: z.string().min(1),
  S3_SECRET_KEY: z.string().min(1),
  S3_BUCKET: z
    .string()
    .regex(bucketName, 'must be 3 to 63 lower-case letters, digits, hyphens and dots')
    .default('recordings'),
  S3_REGION: z.string().default('us-east-1'),
};

/** Parsed `objectStoreSettings`. */
export type ObjectStoreSettings = z.infer<z.ZodObject<typeof objectStoreSettings>>;

type SettingName = keyof ObjectStoreSettings;

/** The setting at fault for each of S3's error codes that waiting does not mend. Source: Amazon's "Error responses". */
const settingOfCode: Readonly<Record<string, SettingName>> = {
  InvalidAccessKeyId: 'S3_ACCESS_KEY',
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

/** What the operator can do, where S3's own message does not say. */
const advice: Readonly<Record<string, string>> = {
  AccessDenied: 'the key needs s3:ListBucket on the bucket, and s3:CreateBucket where the bucket does not exist',
};

/** The setting that an error of the first call shows to be unusable; null for an error that may heal. */
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
