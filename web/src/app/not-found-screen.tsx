import { Button } from '@mantine/core';
import { IconCompass } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { Notice } from '../components/notice.tsx';
import { Screen } from '../components/screen.tsx';
import { paths } from '../lib/paths.ts';

/** For unknown addresses. */
export default function NotFoundScreen() {
  return (
    <Screen title="Page not found">
      <Notice
        icon={<IconCompass size={32} stroke={1.5} />}
        title="There is nothing at this address."
        action={
          <Button component={Link} to={paths.home}>
            Go to the interview sets
          </Button>
        }
      >
        The link may be out of date or mistyped.
      </Notice>
    </Screen>
  );
}
