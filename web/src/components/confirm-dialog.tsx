import { Button, Group, getDefaultZIndex, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  children: ReactNode;
  /** Names the action: 'Delete “React hooks” and its 12 questions'. */
  confirmLabel: string;
  cancelLabel?: string;
  busy?: boolean;
  /** Whether the action destroys something; false for a plain confirmation. */
  destructive?: boolean;
  /** Disables confirming for now. */
  held?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks for confirmation. Cancel has the initial focus. */
export function ConfirmDialog({
  opened,
  title,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  busy = false,
  destructive = true,
  held = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  return (
    // It may ask about a dialog that is open, so it lies above it.
    <Modal opened={opened} onClose={onCancel} title={title} zIndex={getDefaultZIndex('overlay')}>
      <Text component="div">{children}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel} disabled={busy} data-autofocus>
          {cancelLabel}
        </Button>
        <Button onClick={onConfirm} loading={busy} disabled={held} {...(destructive && { color: 'red' })}>
          {confirmLabel}
        </Button>
      </Group>
    </Modal>
  );
}
