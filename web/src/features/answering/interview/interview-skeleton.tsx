import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { Screen } from '../../../components/screen.tsx';

export function InterviewSkeleton() {
  return (
    <Screen width="form">
      <VisuallyHidden role="status">Loading the interview…</VisuallyHidden>
      <Stack gap="xl" aria-hidden>
        <Skeleton height={20} />
        <Skeleton height={72} />
        <Skeleton height={56} />
      </Stack>
    </Screen>
  );
}
