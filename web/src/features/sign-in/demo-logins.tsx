import type { PublicSettings } from '@interview-prep/contracts/operations';
import { Button, Text } from '@mantine/core';
import classes from './login-screen.module.css';

type DemoLogin = PublicSettings['demoLogins'][number];

interface DemoLoginsProps {
  logins: readonly DemoLogin[];
  onChoose: (login: DemoLogin) => void;
}

/** The demo logins, as chips that fill the form. */
export function DemoLogins({ logins, onChoose }: DemoLoginsProps) {
  if (logins.length === 0) return null;
  return (
    <section className={classes.demo} aria-label="Demo logins">
      <Text size="sm" c="dimmed">
        Demo logins: pick one, then sign in
      </Text>
      <div className={classes.chips}>
        {logins.map((login) => (
          <Button key={login.email} size="xs" radius="xl" variant="default" onClick={() => onChoose(login)}>
            {login.email}
          </Button>
        ))}
      </div>
    </section>
  );
}
