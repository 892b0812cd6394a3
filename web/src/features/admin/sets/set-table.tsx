import { type InterviewSet, type PracticeSet, SetStatus } from '@interview-prep/contracts/catalog/sets';
import { Badge, Button, SegmentedControl, Table, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { TimeAgo } from '../../../components/times.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { countOf } from '../../../lib/formats.ts';
import { toast } from '../../../lib/toasts.ts';
import { useAddressFields } from '../../../lib/use-address-fields.ts';
import classes from '../card-table.module.css';
import { IconAction, useInFlight } from '../use-deletion.tsx';
import { statusNames } from './set-fields.tsx';

type AnySet = InterviewSet | PracticeSet;

/** The text that the search of a list of sets matches. */
export function searchedText({ title, technology, tags }: AnySet): string {
  return [title, technology, ...tags].join(' ');
}

/** The actions of each status, and the status they lead to. */
const moves: Record<SetStatus, { label: string; to: SetStatus }> = {
  published: { label: 'Archive', to: 'archived' },
  draft: { label: 'Publish', to: 'published' },
  archived: { label: 'Publish', to: 'published' },
};

interface StatusChange {
  change: (edit: { id: string; status: SetStatus; version: string | undefined }) => Promise<{ error?: unknown }>;
  refetch: () => Promise<unknown>;
  failed: string;
}

/** Publishes and archives sets, one request at a time, with a toast for the outcome. */
export function useStatusChange({ change, refetch, failed }: StatusChange) {
  const [busy, run] = useInFlight();
  const move = ({ _id, title, status, version }: AnySet) =>
    run(async () => {
      const { to } = moves[status];
      const { error } = await change({ id: _id, status: to, version });
      await refetch();
      if (error) toast.error(errorMessage(error, failed));
      else toast.success(`“${title}” ${to}`);
    });
  return { busy, move };
}

/** The status filter, kept in the URL. */
export function useStatusFilter<SetType extends AnySet>(sets: readonly SetType[]) {
  const [params, change] = useAddressFields();
  const parsed = SetStatus.safeParse(params.get('status'));
  const status = parsed.success ? parsed.data : 'all';
  const countIn = (wanted: SetStatus) => sets.filter((set) => set.status === wanted).length;
  return {
    shown: status === 'all' ? sets : sets.filter((set) => set.status === status),
    control: (
      <div className={classes.filter}>
        <SegmentedControl
          size="xs"
          aria-label="Status"
          value={status}
          onChange={(chosen) => change({ page: '', status: chosen === 'all' ? '' : chosen })}
          data={[
            { value: 'all', label: `All ${sets.length}` },
            ...SetStatus.options.map((each) => ({ value: each, label: `${statusNames[each]} ${countIn(each)}` })),
          ]}
        />
      </div>
    ),
  };
}

/** A table of sets with their status and last editor, for admins. */
export function SetTable({ children }: { children: ReactNode }) {
  return (
    <Table className={classes.table ?? ''} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          {['Title', 'Status', 'Changed'].map((name) => (
            <Table.Th key={name}>{name}</Table.Th>
          ))}
          <Table.Th ta="end">Actions</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  );
}

interface SetRowProps {
  set: AnySet;
  busy: boolean;
  /** The title, linked to its page. */
  head: ReactNode;
  action?: ReactNode;
  onMove: () => void;
  onDelete: () => void;
}

export function SetRow({ set, busy, head, action, onMove, onDelete }: SetRowProps) {
  const { title, technology, questions, status, updatedAt, updatedBy, createdBy } = set;
  const { label } = moves[status];
  return (
    <Table.Tr>
      <Table.Td className={classes.title ?? ''}>
        {head}
        <Text size="xs" c="dimmed" className="tabular">
          {technology} · {countOf(questions.length, 'question')}
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge miw="max-content" variant={status === 'published' ? 'light' : 'default'} tt="none" fw={500}>
          {statusNames[status]}
        </Badge>
      </Table.Td>
      <Table.Td className={classes.changed ?? ''}>
        <TimeAgo at={updatedAt} />
        <Text size="xs" c="dimmed" truncate>
          {(updatedBy ?? createdBy)?.email}
        </Text>
      </Table.Td>
      <Table.Td className={classes.actions ?? ''}>
        <Button variant="default" size="xs" disabled={busy} aria-label={`${label} ${title}`} onClick={onMove}>
          {label}
        </Button>
        {action}
        <IconAction color="red" aria-label={`Delete ${title}`} disabled={busy} onClick={onDelete}>
          <IconTrash size={18} stroke={1.5} aria-hidden />
        </IconAction>
      </Table.Td>
    </Table.Tr>
  );
}
