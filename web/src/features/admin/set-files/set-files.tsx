import type { InterviewSet, PracticeSet } from '@interview-prep/contracts/catalog/sets';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { Button, Group, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload, IconUpload } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { datedName, saveFile } from '../../../lib/files.ts';
import { toast } from '../../../lib/toasts.ts';
import { fileSetsOf, setKinds } from './file-set.ts';

const ImportDialog = lazy(() => import('./import-dialog.tsx'));

/** The export formats; each loads its writer on demand. */
const formats = [
  {
    label: 'CSV, for spreadsheets',
    extension: 'csv',
    mediaType: 'text/csv',
    write: async (...args: Parameters<typeof import('./csv-file.ts')['setsToCsv']>) =>
      (await import('./csv-file.ts')).setsToCsv(...args),
  },
  {
    label: 'JSON',
    extension: 'json',
    mediaType: 'application/json',
    write: async (...args: Parameters<typeof import('./json-file.ts')['setsToJson']>) =>
      (await import('./json-file.ts')).setsToJson(...args),
  },
] as const;

interface SetFilesProps {
  kind: SessionKind;
  technologies: readonly Technology[];
  sets: readonly (InterviewSet | PracticeSet)[];
  /** Whether leaving now would interrupt an import. */
  onPending: (pending: boolean) => void;
}

export function SetFiles({ kind, technologies, sets, onPending }: SetFilesProps) {
  const [importing, setImporting] = useState<'never' | 'open' | 'closed'>('never');
  const { fileName } = setKinds[kind];

  const exportAs = async ({ extension, mediaType, write }: (typeof formats)[number]) => {
    try {
      saveFile(datedName(fileName, extension), await write(kind, fileSetsOf(sets)), mediaType);
    } catch (error) {
      // The writer is loaded on first use.
      console.error(error);
      toast.error('The sets could not be exported. Check your connection and try again.');
    }
  };

  return (
    <Group gap="xs">
      <Button
        variant="default"
        size="xs"
        leftSection={<IconUpload size={16} stroke={1.5} aria-hidden />}
        onClick={() => setImporting('open')}
      >
        Import
      </Button>
      <Menu withinPortal={false}>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            disabled={sets.length === 0}
            leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {formats.map((format) => (
            <Menu.Item key={format.extension} onClick={() => exportAs(format)}>
              {format.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {importing !== 'never' && (
        <Suspense fallback={null}>
          <ImportDialog
            kind={kind}
            technologies={technologies}
            sets={sets}
            opened={importing === 'open'}
            onClose={() => setImporting('closed')}
            onPending={onPending}
          />
        </Suspense>
      )}
    </Group>
  );
}
