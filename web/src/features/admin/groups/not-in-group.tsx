import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { Notice } from '../../../components/notice.tsx';
import { paths } from '../../../lib/paths.ts';

/** Replaces a group's pages for users who aren't in it. */
export function NotInGroup() {
  return (
    <Notice
      title="You are not in this group"
      action={
        <Button component={Link} to={paths.groups} variant="default">
          See your groups
        </Button>
      }
    />
  );
}
