import { writeCsv } from '../../../lib/csv.ts';
import { datedName, fileSlug, saveFile } from '../../../lib/save-file.ts';
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

/** The instant whose UTC fields are the local ones: spreadsheets know no time zones. */
const asLocal = (date: Date) => new Date(date.getTime() - date.getTimezoneOffset() * 60_000);

/** '2026-11-20 14:15', by the reader's clock. */
const localMinute = (date: Date) => asLocal(date).toISOString().slice(0, 16).replace('T', ' ');

/** The formats of a roster as a file, as the menu names them. */
export const rosterFormats = { csv: 'CSV', xlsx: 'Excel (XLSX)' } as const;

/** Downloads a roster, in the order given; times by the reader's clock. */
export async function saveRoster(
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
