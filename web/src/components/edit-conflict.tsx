import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiError } from '../lib/api/api-error.ts';
import { detailDate } from '../lib/formats.ts';

/** 'expertAnswers' → 'expert answers' */
const inWords = (field: string) => field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

interface Refused {
  error: ApiError & Required<Pick<ApiError, 'conflict'>>;
  keepMine: (version: string) => Promise<unknown>;
}

/**
 * Asks which change to keep after a concurrent edit by someone else. Render `dialog` in the page.
 * @param showTheirs loads the saved version into the form
 * @returns `caught`: handles an error if it is a conflict, and returns whether it was; `keepMine` retries the edit with the
 * version to replace
 */
export function useEditConflict(showTheirs: () => Promise<unknown>) {
  const [refused, setRefused] = useState<Refused | null>(null);
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState<'theirs' | 'mine' | null>(null);

  const caught = (failure: unknown, keepMine: Refused['keepMine']): boolean => {
    const error = failure as ApiError | undefined;
    if (!error?.conflict) return false;
    setRefused({ error: { ...error, conflict: error.conflict }, keepMine });
    setOpened(true);
    return true;
  };
  const choose = async (choice: 'theirs' | 'mine', work: () => Promise<unknown>) => {
    setBusy(choice);
    setOpened(false);
    await work();
    setBusy(null);
  };

  const { conflict, details = [] } = refused?.error ?? {};
  const dialog = (
    <Modal opened={opened} onClose={() => setOpened(false)} title="Changed in the meantime">
      {refused && conflict && (
        <>
          <Text>
            {conflict.by ?? 'Someone else'} saved changes on {detailDate(conflict.at)}:{' '}
            {details.map(({ path }) => inWords(path)).join(', ')}. Keeping yours replaces theirs.
          </Text>
          <Group justify="flex-end" mt="lg" gap="sm">
            <Button variant="default" onClick={() => setOpened(false)} data-autofocus>
              Keep editing
            </Button>
            <Button variant="default" loading={busy === 'theirs'} onClick={() => void choose('theirs', showTheirs)}>
              Show theirs
            </Button>
            <Button
              color="red"
              loading={busy === 'mine'}
              onClick={() => void choose('mine', () => refused.keepMine(conflict.version))}
            >
              Keep mine
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
  return { caught, dialog };
}
