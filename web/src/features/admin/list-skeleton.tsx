import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';

const rows = ['a', 'b', 'c', 'd', 'e', 'f'];

/** A list with a field above it, while it loads. `label` is for screen readers. */
export function ListSkeleton({ label }: { label: string }) {
  return (
    <>
      <VisuallyHidden role="status">{label}</VisuallyHidden>
      <Stack gap="lg" aria-hidden>
        <Skeleton height={42} />
        <Stack gap="xs">
          {rows.map((row) => (
            <Skeleton key={row} height={62} />
          ))}
        </Stack>
      </Stack>
    </>
  );
}
