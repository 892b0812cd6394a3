import type { TotpSecret } from '@interview-prep/contracts/auth/second-factor-step';
import { Text } from '@mantine/core';
import { encode } from 'uqr';
import { CopyTextButton } from '../copy-text-button.tsx';
import classes from './second-factor.module.css';

/** New recovery codes, shown only once. */
export function RecoveryCodeList({ codes }: { codes: readonly string[] }) {
  return (
    <div>
      <Text size="sm">
        Keep these recovery codes where you find them without your phone. Each signs you in once. They are not shown
        again.
      </Text>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyTextButton text={codes.join('\n')} label="Copy the codes" size="xs" />
    </div>
  );
}

/** Text as a QR code: black on white in both color schemes, as cameras expect. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Groups of four characters, for typing. */
const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ');

/** The secret for an authenticator app, as a QR code and as text. */
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
