import type { AuditEntry } from '@interview-prep/contracts/audit/audit';

const columns = [
  'place',
  'at',
  'service',
  'action',
  'outcome',
  'actor',
  'actorEmail',
  'address',
  'target',
  'targetEmail',
  'requestId',
  'details',
  'id',
] as const satisfies (keyof AuditEntry)[];

/** A cell in quotes. A spreadsheet would run what begins with one of these signs as a formula. */
function cell(value: unknown): string {
  const text =
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `"${(/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

/** The first line, with the names of the columns. Source: RFC 4180. */
export const csvHead = `${columns.join(',')}\r\n`;

/** An entry as a line. */
export function csvLine(entry: AuditEntry): string {
  return `${columns.map((column) => cell(entry[column])).join(',')}\r\n`;
}
