import type { PasswordLink } from '@interview-prep/contracts/password-link';
import { Alert, Button, CopyButton, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconMail } from '@tabler/icons-react';
import { detailDate } from '../../../lib/formats.ts';
import classes from './users-screen.module.css';

interface PasswordLinkNoticeProps {
  email: string;
  passwordLink: PasswordLink;
}

/** Where the link that sets a password went; the link itself, once, where no mail can be sent. */
export function PasswordLinkNotice({ email, passwordLink: { link, expiresAt } }: PasswordLinkNoticeProps) {
  const until = `It works once, until ${detailDate(expiresAt)}.`;
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
      <CopyButton value={link}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            size="xs"
            leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy the link'}
          </Button>
        )}
      </CopyButton>
    </Alert>
  );
}
