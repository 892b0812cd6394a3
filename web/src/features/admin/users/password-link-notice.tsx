import type { PasswordLink } from '@interview-prep/contracts/auth/password-link';
import { Alert, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { CopyTextButton } from '../../../components/copy-text-button.tsx';
import { detailDate } from '../../../lib/formats.ts';
import classes from './users-screen.module.css';

interface PasswordLinkNoticeProps {
  email: string;
  passwordLink: PasswordLink;
}

/** Tells where the password link was sent; shows the link itself, once, if mail isn't set up. */
export function PasswordLinkNotice({ email, passwordLink: { link, expiresAt } }: PasswordLinkNoticeProps) {
  const until = `It can be used once, until ${detailDate(expiresAt)}.`;
  if (link === undefined) {
    return (
      <Alert role="status" color="teal" icon={<IconMail />} title={`A link is on its way to ${email}`}>
        <Text size="sm">{until}</Text>
      </Alert>
    );
  }
  return (
    <Alert role="status" color="indigo" icon={<IconMail />} title={`Pass this link on to ${email}`}>
      <Text size="sm">No mail server is set up. {until} It is shown only here.</Text>
      <code className={classes.link}>{link}</code>
      <CopyTextButton text={link} label="Copy the link" size="xs" />
    </Alert>
  );
}
