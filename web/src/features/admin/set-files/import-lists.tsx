import { Badge, Box, Text } from '@mantine/core';
import { IconAlertCircle, IconCheck } from '@tabler/icons-react';
import classes from '../../../components/import-lists.module.css';
import { countOf } from '../../../lib/formats.ts';
import type { ReadySet } from './check-sets.ts';
import type { Existing, Saving } from './import-state.ts';

const words: Record<Saving['status'], string> = {
  waiting: 'Waiting',
  saved: 'Saved',
  failed: 'Failed',
  skipped: 'Skipped',
};

/** The planned action for an existing set. */
const plans: Record<Existing, string> = { skip: 'Will be skipped', replace: 'Will be replaced' };

interface SavingListProps {
  sets: readonly ReadySet[];
  /** The choice for existing sets, before anything is saved. */
  existing?: Existing;
  savings?: readonly Saving[];
}

export function SavingList({ sets, existing, savings }: SavingListProps) {
  return (
    <ul className={classes.list} aria-label="Sets in the file">
      {sets.map(({ place, body, technology, replaces, changes }, index) => {
        const saving = savings?.[index];
        return (
          <li key={place} className={classes.set} data-status={saving?.status}>
            <Box miw={0}>
              <Text size="sm" fw={600}>
                {body.title}
              </Text>
              <Text size="xs" c="dimmed">
                {technology.name} · {countOf(body.questions.length, 'question')}
                {body.tags.length > 0 && ` · ${body.tags.join(', ')}`}
              </Text>
              {existing === 'replace' && changes && (
                <Text size="xs" fw={550}>
                  {changes}
                </Text>
              )}
              {saving?.status === 'failed' && (
                <Text size="xs" c="var(--incorrect-text)">
                  {saving.message}
                </Text>
              )}
            </Box>
            {existing && replaces && (
              <Badge variant="default" tt="none" fw={500} flex="none">
                {plans[existing]}
              </Badge>
            )}
            {saving && (
              <span className={classes.status}>
                {saving.status === 'saved' && <IconCheck size={14} aria-hidden />}
                {saving.status === 'failed' && <IconAlertCircle size={14} aria-hidden />}
                {saving.status === 'saved' && replaces ? 'Replaced' : words[saving.status]}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
