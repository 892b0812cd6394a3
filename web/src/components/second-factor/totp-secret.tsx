import type { TotpSecret } from '@interview-prep/contracts/second-factor-step';
import { Text } from '@mantine/core';
import { QrCode } from './qr-code.tsx';
import classes from './second-factor.module.css';

/** In groups of four, to type it from the screen. */
const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ');

/** The secret of an authenticator app: to scan, or to type. */
export function TotpSecretView({ secret, uri }: TotpSecret) {
  return (
    <div className={classes.secret}>
      <QrCode text={uri} label="QR code for your authenticator app" />
      <div>
        <Text size="sm">Scan this with an authenticator app. If you cannot scan it, type this key into the app:</Text>
        <code className={classes.key}>{grouped(secret)}</code>
      </div>
    </div>
  );
}
