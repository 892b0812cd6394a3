import { AuditFilter } from '@interview-prep/contracts/audit/audit';
import { dayStart } from '../../../lib/formats.ts';
import { useAddressFields } from '../../../lib/use-address-fields.ts';

/** The filter fields as URL parameters; days are in local time. */
export type FilterField = 'action' | 'outcome' | 'person' | 'from' | 'to' | 'hideSignIns';

/** Keeps the filter in the URL: its fields, the server's query, and a setter for a field. */
export function useAuditFilter() {
  const [params, change] = useAddressFields();
  const fieldOf = (field: FilterField) => params.get(field) ?? '';
  const wanted = {
    action: fieldOf('action') || undefined,
    outcome: fieldOf('outcome') || undefined,
    hidesSignIns: fieldOf('hideSignIns') === 'yes' || undefined,
    person: fieldOf('person').trim() || undefined,
    from: dayStart(fieldOf('from')),
    to: dayStart(fieldOf('to'), true),
  };
  const parsed = AuditFilter.safeParse(wanted);
  const given = Object.entries(parsed.success ? parsed.data : {}).filter(([, value]) => value !== undefined);
  return {
    fieldOf,
    filter: Object.fromEntries(given) as AuditFilter,
    isFiltered: given.length > 0,
    set: (field: FilterField, value: string) => change({ [field]: value }),
    clear: () => change(Object.fromEntries([...params.keys()].map((field) => [field, '']))),
  };
}
