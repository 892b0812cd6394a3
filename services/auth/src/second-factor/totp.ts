import { Secret, TOTP } from 'otpauth';

/** A code is valid for its own half minute, and in no other. Source: RFC 6238; OWASP ASVS 5.0, 6.5.5. */
const periodSeconds = 30;

/** The name that authenticator apps show. */
const issuer = 'Interview Prep';

const totpOf = (secret: string, label: string) =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: periodSeconds, secret: Secret.fromBase32(secret) });

/** A new secret of 160 bits, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The `otpauth:` address that a QR code hands to an authenticator app. */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/**
 * The half minute since 1970 that a code belongs to; null where it is wrong now. Each may be used once: the caller keeps the
 * last one.
 */
export function totpStep(secret: string, code: string, nowMs: number): number | null {
  const delta = totpOf(secret, '').validate({ token: code, timestamp: nowMs, window: 0 });
  return delta === null ? null : Math.floor(nowMs / 1000 / periodSeconds) + delta;
}
