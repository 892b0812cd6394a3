import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { Screen } from '../components/screen.tsx';

/** Shown while a screen's code loads. */
export function ScreenSkeleton() {
  return (
    <Screen>
      <Stack gap="lg" aria-hidden>
        <Skeleton height={32} width="min(320px, 60%)" />
        <Skeleton height={96} />
        <Skeleton height={96} />
      </Stack>
      <VisuallyHidden role="status">Loading…</VisuallyHidden>
    </Screen>
  );
}
