import type { GroupDetail } from '@interview-prep/contracts/auth/groups';
import type { Assignment, Reminded } from '@interview-prep/contracts/recording/assignments';
import { Button, Checkbox, Menu, Group as Row } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { useRemindMembersMutation } from '../../../lib/api/assignments-api.ts';
import { writeCsv } from '../../../lib/csv.ts';
import { datedName, fileSlug, saveFile } from '../../../lib/files.ts';
import { countOf } from '../../../lib/formats.ts';
import { toast } from '../../../lib/toasts.ts';
import { ExtendDialog } from './extend-dialog.tsx';
import { MessageDialog } from './message-dialog.tsx';
import { changeOf, type RosterMember, stateNames } from './roster-rows.ts';

type Cell = string | number | Date | null;

const columns: readonly { heading: string; width: number; cell: (member: RosterMember) => Cell }[] = [
  { heading: 'Name', width: 24, cell: ({ person }) => person.name ?? null },
  { heading: 'Email', width: 30, cell: ({ person }) => person.email },
  { heading: 'State', width: 14, cell: ({ state }) => stateNames[state].label },
  { heading: 'Due', width: 18, cell: ({ dueAt }) => (dueAt ? new Date(dueAt) : null) },
  { heading: 'Takes', width: 8, cell: ({ row }) => row?.takes ?? 0 },
  { heading: 'Best (%)', width: 10, cell: ({ row }) => row?.best ?? null },
  { heading: 'Latest (%)', width: 10, cell: ({ row }) => row?.latest ?? null },
  { heading: 'Change', width: 10, cell: ({ row }) => (row ? changeOf(row) : null) },
  { heading: 'Time spoken (s)', width: 16, cell: ({ row }) => (row ? Math.round(row.spokenMs / 1000) : 0) },
  { heading: 'Last activity', width: 18, cell: ({ row }) => (row ? new Date(row.lastAt) : null) },
];

/** Shifts an instant so that its UTC fields hold local time, since spreadsheets have no time zones. */
const asLocal = (date: Date) => new Date(date.getTime() - date.getTimezoneOffset() * 60_000);

/** Formats as '2026-11-20 14:15', in local time. */
const localMinute = (date: Date) => asLocal(date).toISOString().slice(0, 16).replace('T', ' ');

/** The export formats of a roster, as labeled in the menu. */
const rosterFormats = { csv: 'CSV', xlsx: 'Excel (XLSX)' } as const;

const is = (count: number) => (count === 1 ? 'is' : 'are');

interface RemindDialogProps {
  assignment: Assignment;
  members: readonly RosterMember[];
  onClose: () => void;
}

interface RosterActionsProps {
  group: GroupDetail;
  assignment: Assignment;
  /** The filtered rows, in the order shown. */
  shown: readonly RosterMember[];
  selected: readonly RosterMember[];
  onSelect: (userIds: readonly string[]) => void;
}

/** The roster's toolbar: selects all rows shown, and acts on the selection. Exports all rows if none is selected. */
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

/** Emails a reminder of an assignment, and tells how many members get one and why others don't. */
function RemindDialog({ assignment, members, onClose }: RemindDialogProps) {
  const [remind, reminding] = useRemindMembersMutation();
  const done = members.filter(({ state }) => state === 'done' || state === 'late').length;
  const who = countOf(members.length - done, 'member');
  const unreached = new Set(members.flatMap(({ person }) => (person.workMail === false ? [person.userId] : [])));

  const outcome = ({ reminded, recent, closed, done: doneNow }: Reminded) => {
    const mailed = reminded.filter((id) => !unreached.has(id)).length;
    const silent = reminded.length - mailed;
    const others = [
      doneNow.length > 0 && `${doneNow.length} ${is(doneNow.length)} done`,
      recent.length > 0 && `${recent.length} ${recent.length === 1 ? 'was' : 'were'} reminded in the last 24 hours`,
      closed.length > 0 && `for ${closed.length} it is closed`,
      silent > 0 && `${silent} ${silent === 1 ? 'gets' : 'get'} no emails about assigned work`,
    ].filter((part) => part !== false);
    const sent = mailed === 0 ? 'No reminder was sent' : `${countOf(mailed, 'member')} will get a reminder`;
    return { mailed, text: others.length > 0 ? `${sent}; ${others.join(', ')}` : sent };
  };
  const confirm = async () => {
    const { data, error } = await remind({
      id: assignment.id,
      userIds: members.map(({ person }) => person.userId),
    });
    onClose();
    if (!data) return toast.error(errorMessage(error, 'Failed to remind the members'));
    const { mailed, text } = outcome(data);
    if (mailed > 0) toast.success(text);
    else toast.error(text);
  };
  return (
    <ConfirmDialog
      opened
      title={`Remind ${who}?`}
      confirmLabel={`Remind ${who}`}
      destructive={false}
      held={members.length === done}
      busy={reminding.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      They get an email that “{assignment.title}” is not finished yet, at most once in 24 hours.
      {done > 0 && ` ${countOf(done, 'member')} you selected ${is(done)} done.`}
      {unreached.size > 0 &&
        ` ${unreached.size} ${unreached.size === 1 ? 'gets' : 'get'} no emails about assigned work.`}
    </ConfirmDialog>
  );
}

/** Downloads a roster in the given order, with local times. */
async function saveRoster(
  format: keyof typeof rosterFormats,
  title: string,
  members: readonly RosterMember[],
): Promise<void> {
  const name = datedName(fileSlug(title, 'roster'), format);
  const headings = columns.map(({ heading }) => heading);
  const rows = members.map((member) => columns.map(({ cell }) => cell(member)));
  if (format === 'csv') {
    const text = (cell: Cell) => (cell instanceof Date ? localMinute(cell) : (cell ?? ''));
    return saveFile(name, await writeCsv([headings, ...rows.map((row) => row.map(text))]), 'text/csv');
  }
  const { default: writeXlsx } = await import('write-excel-file/browser');
  const head = headings.map((value) => ({ value, fontWeight: 'bold' as const }));
  const cells = rows.map((row) => row.map((cell) => (cell instanceof Date ? asLocal(cell) : cell)));
  const file = await writeXlsx([head, ...cells], {
    sheet: 'Roster',
    columns: columns.map(({ width }) => ({ width })),
    dateFormat: 'yyyy-mm-dd hh:mm',
    stickyRowsCount: 1,
  }).toBlob();
  saveFile(name, file, file.type);
}
