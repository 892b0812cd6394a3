import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { Screen } from '../../../components/screen.tsx';

export function DetailSkeleton() {
  return (
    <Screen>
      <Stack gap="lg" aria-hidden>
        <Skeleton height={16} width={140} />
        <Skeleton height={34} width="min(420px, 80%)" />
        <Skeleton height={96} radius="lg" />
        <Skeleton height={20} width={220} mt="md" />
        <Skeleton height={320} radius="lg" />
        <Skeleton height={320} radius="lg" />
      </Stack>
      <VisuallyHidden role="status">Loading…</VisuallyHidden>
    </Screen>
  );
}
