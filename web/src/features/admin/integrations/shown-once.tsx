import { Alert, Group, TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { CopyTextButton } from '../../../components/copy-text-button.tsx';

/** A secret that the server does not show again. */
export function ShownOnce({ label, secret }: { label: string; secret: string }) {
  return (
    <Alert
      color="blue"
      variant="light"
      icon={<IconKey aria-hidden />}
      title="Copy it now. You won't be able to see it again."
    >
      <Group align="end" gap="xs" wrap="nowrap">
        <TextInput label={label} readOnly value={secret} flex={1} onFocus={(event) => event.currentTarget.select()} />
        <CopyTextButton text={secret} label="Copy" />
      </Group>
    </Alert>
  );
}
