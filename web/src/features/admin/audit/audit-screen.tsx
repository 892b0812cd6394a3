import { Button, Center, Stack } from '@mantine/core';
import { IconDownload, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import bordered from '../../../components/bordered-list.module.css';
import { failureOf } from '../../../components/failed-loads.ts';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { PartFailure } from '../../../components/part-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { datedName, saveFile } from '../../../lib/save-file.ts';
import { toast } from '../../../lib/toasts.ts';
import { ListSkeleton } from '../list-skeleton.tsx';
import { useAuditEntriesInfiniteQuery, useExportAuditMutation } from './audit-api.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditRow } from './audit-row.tsx';
import { useAuditFilter } from './use-audit-filter.ts';

/** What users of the whole product did, newest first. */
export default function AuditScreen() {
  const { filter, isFiltered, clear, ...fields } = useAuditFilter();
  /** How often the filters were cleared: the typed text goes with them. */
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
