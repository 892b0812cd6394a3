import { watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { UnusableSetting } from './config.ts';
import type { Logger } from './logger.ts';

/** Codes of OpenSSL and Node for a certificate that is not trusted, and for a server without TLS. */
const tlsCodes =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY)_|ERR_TLS_|ERR_SSL_|EPROTO$|INVALID_PURPOSE$|HOSTNAME_MISMATCH$)/;

/** Why a server's certificate is not accepted, and what the operator can do; null for any other error. Retrying won't help. */
export function tlsFault(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : '';
    if (tlsCodes.test(code)) {
      return `its certificate is not accepted: ${cause.message} (${code}); NODE_EXTRA_CA_CERTS names a file of further authorities`;
    }
  }
  return null;
}

export interface TlsSettings {
  TLS_CERT_FILE?: string | undefined;
  TLS_KEY_FILE?: string | undefined;
}

/** The certificate and key of an HTTPS server, as PEM. */
export interface TlsCredentials {
  cert: Buffer;
  key: Buffer;
}

/**
 * Versions and cipher suites of servers, all with forward secrecy, the strongest first.
 * Source: ASVS 5.0.0, 12.1.1 and 12.1.2; Mozilla's "intermediate" configuration.
 */
export const tlsOptions = {
  minVersion: 'TLSv1.2',
  honorCipherOrder: true,
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
} as const;

/** How often to check for a renewed certificate. */
const defaultCheckMs = 60_000;

/**
 * Reads the certificate and its key; undefined if neither is set.
 * @throws UnusableSetting if one is missing or unreadable, or they don't match
 */
export async function readTls({ TLS_CERT_FILE, TLS_KEY_FILE }: TlsSettings): Promise<TlsCredentials | undefined> {
  if (TLS_CERT_FILE === undefined && TLS_KEY_FILE === undefined) return undefined;
  if (TLS_CERT_FILE === undefined) throw new UnusableSetting('TLS_CERT_FILE', 'is required with TLS_KEY_FILE');
  if (TLS_KEY_FILE === undefined) throw new UnusableSetting('TLS_KEY_FILE', 'is required with TLS_CERT_FILE');
  const read = (setting: string, path: string) =>
    readFile(path).catch((error: Error) => {
      throw new UnusableSetting(setting, `cannot be read: ${error.message}`, error);
    });
  const credentials = {
    cert: await read('TLS_CERT_FILE', TLS_CERT_FILE),
    key: await read('TLS_KEY_FILE', TLS_KEY_FILE),
  };
  try {
    createSecureContext(credentials);
  } catch (error) {
    throw new UnusableSetting('TLS_CERT_FILE', `does not work with TLS_KEY_FILE: ${(error as Error).message}`, error);
  }
  return credentials;
}

/** Uses a renewed certificate for new connections once its files have changed. Keeps the current one until both files match. */
export function followTls(server: Server, settings: TlsSettings, log: Logger, checkMs: number = defaultCheckMs): void {
  const renew = () =>
    readTls(settings).then(
      (credentials) => {
        if (!credentials) return;
        server.setSecureContext({ ...tlsOptions, ...credentials });
        log.info('the renewed TLS certificate is in use');
      },
      (error: unknown) => log.warn({ err: error }, 'the changed TLS certificate cannot be used'),
    );
  for (const path of [settings.TLS_CERT_FILE, settings.TLS_KEY_FILE]) {
    if (path !== undefined) watchFile(path, { interval: checkMs, persistent: false }, () => void renew());
  }
}
