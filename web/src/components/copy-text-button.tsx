import { type BoxProps, Button, CopyButton, Group, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

interface CopyTextButtonProps {
  text: string;
  label: string;
  size?: 'xs' | 'sm' | 'md';
  /** Set for a compact button within a line, for a long text that is not shown: names it, as in 'request id'. */
  what?: string;
  /** Tells buttons with the same label apart for screen readers. */
  describes?: string;
}

/** Copies a text, and confirms it for a moment. */
export function CopyTextButton({ text, label, size = 'sm', what, describes }: CopyTextButtonProps) {
  const iconSize = what === undefined ? 16 : 13;
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          {...(what === undefined
            ? { variant: 'default', size }
            : { variant: 'subtle', color: 'gray', size: 'compact-xs', title: `Copy the ${what} ${text}` })}
          leftSection={copied ? <IconCheck size={iconSize} aria-hidden /> : <IconCopy size={iconSize} aria-hidden />}
          aria-label={describes && `${copied ? 'Copied' : label}: ${describes}`}
          onClick={copy}
        >
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  );
}

interface CopyFieldProps extends BoxProps {
  text: string;
  label: string;
  description?: string;
  size?: 'sm' | 'md';
}

export function CopyField({ text, label, description, size = 'md', ...box }: CopyFieldProps) {
  return (
    <Group align="end" gap="xs" wrap="nowrap" {...box}>
      <TextInput
        label={label}
        description={description}
        size={size}
        readOnly
        value={text}
        flex={1}
        // Ligatures would show 2x2 in a secret as 2×2.
        styles={{ input: { fontVariantLigatures: 'none' } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyTextButton text={text} label="Copy" size={size} />
    </Group>
  );
}
