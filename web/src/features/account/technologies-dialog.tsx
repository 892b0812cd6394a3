import { limits } from '@interview-prep/contracts/api/limits';
import type { User } from '@interview-prep/contracts/auth/users';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { errorMessage } from '../../lib/api/api-error.ts';
import { useChooseTechnologiesMutation } from '../../lib/api/sets-api.ts';
import { fallbacks, messages } from '../../lib/messages.ts';
import { userChanged } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch } from '../../lib/state/state-hooks.ts';
import { toast } from '../../lib/toasts.ts';

interface TechnologiesDialogProps {
  user: User;
  technologies: readonly Technology[];
  onClose: () => void;
}

/** Changes the user's own technologies. */
export function TechnologiesDialog({ user, technologies, onClose }: TechnologiesDialogProps) {
  const known = technologies.map(({ slug }) => slug);
  // Drop deleted technologies, which the user couldn't deselect.
  const [chosen, setChosen] = useState(user.technologies.filter((slug) => known.includes(slug)));
  const [choose, { isLoading }] = useChooseTechnologiesMutation();
  const dispatch = useAppDispatch();
  const isFull = chosen.length >= limits.technologiesPerUser;

  const save = async () => {
    const { data, error } = await choose({ id: user.id, technologies: chosen });
    if (!data) return toast.error(messages.plans.updateFailed(errorMessage(error, fallbacks.updateUser)));
    dispatch(userChanged({ user: data }));
    toast.success('Technologies saved');
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title="Your technologies">
      <Checkbox.Group
        label={`Choose up to ${limits.technologiesPerUser} that you want to be interviewed in`}
        value={chosen}
        onChange={setChosen}
      >
        <Stack gap="xs" mt="sm">
          {technologies.map(({ slug, name }) => (
            <Checkbox key={slug} value={slug} label={name} disabled={isFull && !chosen.includes(slug)} />
          ))}
        </Stack>
      </Checkbox.Group>
      {chosen.length === 0 && (
        <Text size="sm" mt="sm" c="var(--mantine-color-error)" role="alert">
          {messages.plans.noTechnology}
        </Text>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} disabled={isLoading}>
          Cancel
        </Button>
        <Button onClick={() => void save()} loading={isLoading} disabled={chosen.length === 0}>
          Save
        </Button>
      </Group>
    </Modal>
  );
}
