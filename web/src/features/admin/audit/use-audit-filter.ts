import { AuditFilter } from '@interview-prep/contracts/audit/audit';
import { useAddressFields } from '../../../lib/use-address-fields.ts';

/** The fields of the filter as the address has them; days are local. */
export type FilterField = 'action' | 'outcome' | 'person' | 'from' | 'to' | 'hideSignIns';

const dayMs = 24 * 60 * 60_000;

/** The beginning of a local day; `next` for the day after it. Undefined for no day. */
function dayStart(day: string, next: boolean): string | undefined {
  const start = new Date(`${day}T00:00:00`);
  if (Number.isNaN(start.getTime())) return undefined;
  // Noon of the day after, so that a change of the clocks does not matter.
  const date = next ? new Date(start.getTime() + 1.5 * dayMs) : start;
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).toISOString();
}

/** The filter in the address: its fields, what the server is asked, and how to change a field. */
export function useAuditFilter() {
  const [params, change] = useAddressFields();
  const fieldOf = (field: FilterField) => params.get(field) ?? '';
  const wanted = {
    action: fieldOf('action') || undefined,
    outcome: fieldOf('outcome') || undefined,
    hidesSignIns: fieldOf('hideSignIns') === 'yes' || undefined,
    person: fieldOf('person').trim() || undefined,
    from: dayStart(fieldOf('from'), false),
    to: dayStart(fieldOf('to'), true),
  };
  const parsed = AuditFilter.safeParse(wanted);
  const given = Object.entries(parsed.success ? parsed.data : {}).filter(([, value]) => value !== undefined);
  return {
    fieldOf,
    filter: Object.fromEntries(given) as AuditFilter,
    isFiltered: given.length > 0,
    set: (field: FilterField, value: string) =>
      change((changed) => (value === '' ? changed.delete(field) : changed.set(field, value))),
    clear: () =>
      change((changed) => {
        for (const key of [...changed.keys()]) changed.delete(key);
      }),
  };
}
