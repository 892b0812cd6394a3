import { AuditAction, AuditOutcome } from '@interview-prep/contracts/audit/audit-event';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import classes from './audit-screen.module.css';
import { actionLabel, outcomeLabels } from './audit-words.ts';
import type { useAuditFilter } from './use-audit-filter.ts';

/** How long typing pauses before the server is asked. */
const typingDelayMs = 300;

const actions = AuditAction.options
  .map((value) => ({ value, label: actionLabel(value) }))
  .sort((a, b) => a.label.localeCompare(b.label));
const outcomes = AuditOutcome.options.map((value) => ({ value, label: outcomeLabels[value] }));

interface AuditFiltersProps extends Pick<ReturnType<typeof useAuditFilter>, 'fieldOf' | 'set'> {
  /** What the person's field holds at first. */
  initialPerson: string;
}

/** What of the log is shown: action, outcome, person, days. */
export function AuditFilters({ fieldOf, set, initialPerson }: AuditFiltersProps) {
  const [person, setPerson] = useState(initialPerson);
  const keepPerson = useDebouncedCallback((value: string) => set('person', value), typingDelayMs);
  return (
    <search className={classes.filters} aria-label="Filter the audit log">
      <NativeSelect
        size="md"
        label="Action"
        data={[{ value: '', label: 'All actions' }, ...actions]}
        value={fieldOf('action')}
        onChange={(event) => set('action', event.currentTarget.value)}
      />
      <NativeSelect
        size="md"
        label="Outcome"
        data={[{ value: '', label: 'All outcomes' }, ...outcomes]}
        value={fieldOf('outcome')}
        onChange={(event) => set('outcome', event.currentTarget.value)}
      />
      <TextInput
        className={classes.person ?? ''}
        label="Person"
        placeholder="Email or user id"
        autoComplete="off"
        value={person}
        onChange={(event) => {
          setPerson(event.currentTarget.value);
          keepPerson(event.currentTarget.value);
        }}
      />
      <TextInput
        type="date"
        label="From"
        value={fieldOf('from')}
        onChange={(event) => set('from', event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label="To"
        value={fieldOf('to')}
        onChange={(event) => set('to', event.currentTarget.value)}
      />
      <Checkbox
        className={classes.person ?? ''}
        label="Hide sign-ins and sign-outs"
        checked={fieldOf('hideSignIns') === 'yes'}
        onChange={(event) => set('hideSignIns', event.currentTarget.checked ? 'yes' : '')}
      />
    </search>
  );
}
