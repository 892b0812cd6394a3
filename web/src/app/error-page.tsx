import { Button, Group } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router-dom';
import { Notice } from '../components/notice.tsx';
import { Screen } from '../components/screen.tsx';
import { messageOf } from '../lib/api/api-error.ts';
import { useRouteTitle } from '../lib/use-route-title.ts';

/** Shown in place of a screen that threw. Source: product specification, section 2, router default error page. */
export function ErrorPage() {
  const error = useRouteError();
  useRouteTitle('Error');
  useEffect(() => {
    console.error(error);
  }, [error]);

  return (
    <Screen title="Unexpected Application Error!">
      <Notice
        alert
        title={messageOf(error) ?? 'Something on this page broke.'}
        action={
          <Group>
            <Button onClick={() => window.location.reload()}>Reload this page</Button>
            <Button variant="default" component="a" href="/">
              Go to the home page
            </Button>
          </Group>
        }
      >
        Everything you saved is safe on the server. Reloading usually helps.
      </Notice>
    </Screen>
  );
}
