import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

interface CopyTextButtonProps {
  /** What is copied to the clipboard. */
  text: string;
  label: string;
  size?: 'xs' | 'sm';
}

/** Copies a text, and says for a moment that it has. */
export function CopyTextButton({ text, label, size = 'sm' }: CopyTextButtonProps) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size={size}
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          onClick={copy}
        >
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  );
}
