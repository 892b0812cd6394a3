import { Text } from '@mantine/core';
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
