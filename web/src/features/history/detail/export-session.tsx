import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { datedName, fileSlug, saveFile } from '../../../lib/save-file.ts';
import type { SessionDetail } from '../session-types.ts';

/** A session as JSON: without links to media, which end with the sign-in. */
export function sessionJson(detail: SessionDetail): string {
  const recordings = detail.recordings.map(({ audioUrl: _link, peaks: _peaks, ...recording }) => recording);
  return `${JSON.stringify({ ...detail, recordings }, null, 2)}\n`;
}

/** Prints a session, or saves it as a file. */
export function ExportSession({ detail }: { detail: SessionDetail }) {
  return (
    <Menu width={240} withinPortal={false} position="top-start">
      <Menu.Target>
        <Button variant="subtle" color="gray" size="xs" leftSection={<IconDownload size={14} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => window.print()}>Print, or save as PDF</Menu.Item>
        <Menu.Item
          onClick={() =>
            saveFile(datedName(fileSlug(detail.title, 'session'), 'json'), sessionJson(detail), 'application/json')
          }
        >
          JSON
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
