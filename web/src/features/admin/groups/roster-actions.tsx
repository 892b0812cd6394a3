import type { GroupDetail } from '@interview-prep/contracts/auth/groups';
import type { Assignment } from '@interview-prep/contracts/recording/assignments';
import { Button, Checkbox, Menu, Group as Row } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { toast } from '../../../lib/toasts.ts';
import { ExtendDialog } from './extend-dialog.tsx';
import { MessageDialog } from './message-dialog.tsx';
import { RemindDialog } from './remind-dialog.tsx';
import { rosterFormats, saveRoster } from './roster-files.ts';
import type { RosterMember } from './roster-rows.ts';

interface RosterActionsProps {
  group: GroupDetail;
  assignment: Assignment;
  /** Those that filter and search leave, in the order in which they are shown. */
  shown: readonly RosterMember[];
  selected: readonly RosterMember[];
  onSelect: (userIds: readonly string[]) => void;
}

/** Over a roster: selects all who are shown, and what can be done with the selected ones. Without a selection all are exported. */
export function RosterActions({ group, assignment, shown, selected, onSelect }: RosterActionsProps) {
  const count = selected.length;
  const isAll = count > 0 && count === shown.length;
  const [dialog, setDialog] = useState<'remind' | 'extend' | 'message' | null>(null);
  const about = { assignment, members: selected, onClose: () => setDialog(null) };
  const exportAs = async (format: keyof typeof rosterFormats) => {
    try {
      await saveRoster(format, assignment.title, count > 0 ? selected : shown);
    } catch (error) {
      console.error(error);
      toast.error('The roster could not be exported. Reload the page and try again.');
    }
  };
  return (
    <Row gap="xs" role="group" aria-label="Selected members">
      <Checkbox
        size="sm"
        label={count > 0 ? `${count} selected` : `Select all ${shown.length}`}
        checked={isAll}
        indeterminate={count > 0 && !isAll}
        onChange={() => onSelect(isAll ? [] : shown.map(({ person }) => person.userId))}
      />
      <Menu withinPortal={false}>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {count > 0 ? `Export ${count}` : 'Export'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(rosterFormats) as (keyof typeof rosterFormats)[]).map((format) => (
            <Menu.Item key={format} onClick={() => void exportAs(format)}>
              {rosterFormats[format]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {count > 0 && (
        <>
          <Button size="xs" variant="default" onClick={() => setDialog('remind')}>
            Remind
          </Button>
          {assignment.dueAt !== null && (
            <Button size="xs" variant="default" onClick={() => setDialog('extend')}>
              Extend
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => setDialog('message')}>
            Email
          </Button>
          <Button size="xs" variant="subtle" onClick={() => onSelect([])}>
            Clear
          </Button>
        </>
      )}
      {dialog === 'remind' && <RemindDialog {...about} />}
      {dialog === 'extend' && <ExtendDialog {...about} />}
      {dialog === 'message' && <MessageDialog group={group} members={selected} onClose={about.onClose} />}
    </Row>
  );
}
