import type { AuditEntry, AuditFilter } from '@interview-prep/contracts/audit/audit';
import { AuditAction, AuditOutcome } from '@interview-prep/contracts/audit/audit-event';
import { Anchor, Badge, Button, Center, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconDownload, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import bordered from '../../../components/bordered-list.module.css';
import { CopyTextButton } from '../../../components/copy-text-button.tsx';
import { failureOf, LoadFailure, PartFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Screen } from '../../../components/screen.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { api } from '../../../lib/api/base-api.ts';
import { type RouteResult, routeRequest } from '../../../lib/api/route-request.ts';
import { datedName, saveFile } from '../../../lib/files.ts';
import { detailDate, exactTime } from '../../../lib/formats.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { toast } from '../../../lib/toasts.ts';
import { ListSkeleton } from '../list-skeleton.tsx';
import rows from '../row-list.module.css';
import classes from './audit-screen.module.css';
import {
  actionLabel,
  actorLabel,
  detailText,
  outcomeLabels,
  requestLabel,
  targetLabel,
  targetPath,
} from './audit-words.ts';
import { useAuditFilter } from './use-audit-filter.ts';

/** Debounce of the search field. */
const typingDelayMs = 300;

const actions = AuditAction.options
  .map((value) => ({ value, label: actionLabel(value) }))
  .sort((a, b) => a.label.localeCompare(b.label));

const outcomes = AuditOutcome.options.map((value) => ({ value, label: outcomeLabels[value] }));

interface AuditFiltersProps extends Pick<ReturnType<typeof useAuditFilter>, 'fieldOf' | 'set'> {
  initialPerson: string;
}

const outcomeColors: Readonly<Record<AuditOutcome, string>> = {
  success: 'teal',
  failed: 'orange',
  denied: 'orange',
  interrupted: 'gray',
};

/** One event: action, outcome, actor, target, origin and time. */
function AuditRow({ entry }: { entry: AuditEntry }) {
  const target = targetLabel(entry);
  const place = targetPath(entry);
  const facts = [entry.address && `from ${entry.address}`, detailText(entry)];
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <Group gap="4px 8px">
        <Text fw={500}>{actionLabel(entry.action)}</Text>
        {entry.outcome !== 'success' && (
          <Badge size="sm" variant="light" color={outcomeColors[entry.outcome]}>
            {outcomeLabels[entry.outcome]}
          </Badge>
        )}
      </Group>
      <Text className={classes.who ?? ''} title={entry.actor ?? undefined}>
        {actorLabel(entry)}
        {target && (
          <Text span c="dimmed" title={entry.target ?? undefined}>
            {' '}
            on{' '}
            {place ? (
              <Anchor component={Link} to={place} underline="always" inherit>
                {target}
              </Anchor>
            ) : (
              target
            )}
          </Text>
        )}
      </Text>
      <Text size="sm" c="dimmed" className={`tabular ${classes.when}`} title={exactTime(entry.at)}>
        <time dateTime={entry.at}>{detailDate(entry.at)}</time>
      </Text>
      <Text size="sm" c="dimmed" className={classes.facts ?? ''}>
        {facts.filter(Boolean).join(' · ')}
        {entry.requestId && (
          <>
            {' '}
            <CopyTextButton text={entry.requestId} label={requestLabel(entry.requestId)} what="request id" />
          </>
        )}
      </Text>
    </li>
  );
}

/** Entries per page. */
const limit = 50;

const auditApi = api.injectEndpoints({
  endpoints: (build) => ({
    auditEntries: build.infiniteQuery<RouteResult<'searchAuditEntries'>, AuditFilter, number | undefined>({
      infiniteQueryOptions: { initialPageParam: undefined, getNextPageParam: ({ next }) => next ?? undefined },
      query: ({ queryArg, pageParam: before }) => routeRequest('searchAuditEntries', { ...queryArg, limit, before }),
      // The log grows with every request, so cached pages are stale.
      keepUnusedDataFor: 0,
      extraOptions: { fallback: fallbacks.fetchAudit },
    }),
    exportAudit: build.mutation<string, AuditFilter>({
      query: (filter) => ({
        ...routeRequest('exportAuditEntries', filter),
        // An error is JSON: it may ask for a recent sign-in.
        responseHandler: (response) => (response.ok ? response.text() : response.json()),
      }),
      extraOptions: { fallback: fallbacks.exportAudit },
    }),
  }),
});

export const { useAuditEntriesInfiniteQuery, useExportAuditMutation } = auditApi;

/** The audit log of all users, newest first. */
export default function AuditScreen() {
  const { filter, isFiltered, clear, ...fields } = useAuditFilter();
  /** Counts how often the filters were cleared, which resets the typed text too. */
  const [cleared, setCleared] = useState(0);
  const clearAll = () => {
    setCleared(cleared + 1);
    clear();
  };
  const query = useAuditEntriesInfiniteQuery(filter);
  const [exportEntries, exporting] = useExportAuditMutation();
  const entries = query.currentData?.pages.flatMap((page) => page.entries);
  const failure = failureOf([query, fallbacks.fetchAudit]);

  const download = async () => {
    try {
      saveFile(datedName('audit-log', 'csv'), await exportEntries(filter).unwrap(), 'text/csv');
    } catch (error) {
      toast.error(errorMessage(error, fallbacks.exportAudit));
    }
  };

  return (
    <Screen
      title="Audit Log"
      lead="Who signed in, changed, exported or deleted what, and who was refused."
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
          loading={exporting.isLoading}
          onClick={() => void download()}
        >
          Download CSV
        </Button>
      }
    >
      <Stack gap="lg">
        <AuditFilters {...fields} key={cleared} initialPerson={cleared === 0 ? fields.fieldOf('person') : ''} />
        {!entries && (failure ? <LoadFailure {...failure} /> : <ListSkeleton label="Loading the audit log…" />)}
        {entries && failure && <PartFailure {...failure} />}
        {entries?.length === 0 && (
          <Notice
            icon={<IconSearch size={32} stroke={1.5} />}
            title={isFiltered ? 'No event matches' : 'No events yet'}
            action={
              isFiltered && (
                <Button variant="default" onClick={clearAll}>
                  Clear filters
                </Button>
              )
            }
          />
        )}
        {entries && entries.length > 0 && (
          <ul className={bordered.list} aria-label="Events">
            {entries.map((entry) => (
              <AuditRow key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
        {query.hasNextPage && entries && (
          <Center>
            <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show older events
            </Button>
          </Center>
        )}
      </Stack>
    </Screen>
  );
}

/** The log's filters: action, outcome, person, days. */
function AuditFilters({ fieldOf, set, initialPerson }: AuditFiltersProps) {
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
