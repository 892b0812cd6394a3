import { Radio, Stack } from '@mantine/core';
import { countOf } from '../count-of.ts';
import type { Existing } from './import-state.ts';

interface ExistingChoiceProps {
  count: number;
  nouns: readonly [one: string, many: string];
  value: Existing;
  onChange: (value: Existing) => void;
}

/** What to do with the sets of a file that exist already. */
export function ExistingChoice({ count, nouns: [one, many], value, onChange }: ExistingChoiceProps) {
  const [it, its] = count === 1 ? ['it', 'its own'] : ['them', 'their own'];
  return (
    <Radio.Group
      label={`${countOf(count, one, many)} already ${count === 1 ? 'exists' : 'exist'}`}
      value={value}
      onChange={(chosen) => onChange(chosen as Existing)}
    >
      <Stack gap={6} mt={6}>
        <Radio value="skip" label={`Skip ${it}`} description="Nothing changes." />
        <Radio
          value="replace"
          label={`Replace ${it}`}
          description={`The file’s content takes the place of ${its}. What the file leaves blank stays, and so do interviews already taken.`}
        />
      </Stack>
    </Radio.Group>
  );
}
