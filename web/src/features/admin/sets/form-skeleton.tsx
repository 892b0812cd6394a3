import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';

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
