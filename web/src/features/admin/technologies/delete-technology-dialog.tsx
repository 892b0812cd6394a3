import type { Technology } from '@interview-prep/contracts/technologies';
import { Text } from '@mantine/core';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { PartFailure } from '../../../components/part-failure.tsx';
import type { Deletion } from '../use-deletion.ts';
import { deletionInWords } from './technology-use.ts';
import type { useTechnologyUse } from './use-technology-use.ts';

interface DeleteTechnologyDialogProps {
  deletion: Deletion<Technology>;
  use: ReturnType<typeof useTechnologyUse>;
}

/** Asks before deleting a technology, and says what happens to its sets. Waits until those are known. */
export function DeleteTechnologyDialog({ deletion, use }: DeleteTechnologyDialogProps) {
  const { about } = deletion;
  const sets = about && use.setsUsing(about);
  return (
    <ConfirmDialog
      opened={deletion.opened}
      title={`Delete ${about?.name ?? ''}?`}
      confirmLabel={`Delete "${about?.name ?? ''}"`}
      busy={deletion.busy}
      held={sets === null}
      onConfirm={deletion.confirm}
      onCancel={deletion.close}
    >
      {sets && deletionInWords(sets)}
      {!sets && !use.failure && 'Checking which sets use it…'}
      {!sets && use.failure && (
        <>
          <Text mb="sm">We could not check which sets use it.</Text>
          <PartFailure {...use.failure} />
        </>
      )}
    </ConfirmDialog>
  );
}
