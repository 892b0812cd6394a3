import { Button, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconTags } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { Notice } from '../../../components/notice.tsx';
import { messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';

/** Replaces a set's form while there are no technologies. */
export function NoTechnologies() {
  return (
    <Notice
      icon={<IconTags size={32} stroke={1.5} />}
      title={messages.technologies.none}
      action={
        <Button component={Link} to={paths.technologies}>
          Add a technology
        </Button>
      }
    >
      Every set belongs to a technology. Add one first, then come back here.
    </Notice>
  );
}

/** A set's form while it loads. */
export function FormSkeleton({ label }: { label: string }) {
  return (
    <>
      <VisuallyHidden role="status">{label}</VisuallyHidden>
      <Stack gap="lg" aria-hidden>
        <Skeleton height={66} />
        <Skeleton height={66} />
        <Skeleton height={220} />
        <Skeleton height={66} />
        <Skeleton height={42} width={180} />
      </Stack>
    </>
  );
}
