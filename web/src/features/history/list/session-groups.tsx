import type { HistoryGroup } from '@interview-prep/contracts/history/history';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { Box, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { LoadFailure, PartFailure } from '../../../components/load-failure.tsx';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { exactTime, listDate } from '../../../lib/formats.ts';
import { unknowns } from '../../../lib/messages.ts';
import { useFailureToast } from '../../../lib/toasts.ts';
import { type HistoryFilter, type HistorySearch, useSessionGroupsQuery } from '../history-api.ts';
import { sessionKinds } from '../session-kinds.ts';
import classes from './session-groups.module.css';
import { SessionLines, SessionSkeletons } from './session-lines.tsx';
import { withKnownTechnology } from './use-session-pages.ts';

interface SessionGroupsProps {
  kind: SessionKind;
  by: 'email' | 'technology';
  search: HistorySearch;
  /** The keys of the open groups. */
  open: readonly string[];
  onToggle: (key: string) => void;
  empty: ReactNode;
}

function Group({
  group,
  opened,
  onToggle,
  kind,
  by,
  search,
}: Omit<SessionGroupsProps, 'open' | 'empty'> & {
  group: HistoryGroup;
  opened: boolean;
}) {
  const id = useId();
  // The server matches part of an email; `only` requires the whole.
  const filter: HistoryFilter =
    by === 'technology'
      ? { kind, search, technology: group.key }
      : { kind, search: group.key === '' ? {} : { email: group.key } };
  const name = group.key || unknowns.user;
  return (
    <section className={classes.group}>
      <h2 className={classes.heading}>
        <UnstyledButton
          className={classes.toggle ?? ''}
          aria-expanded={opened}
          aria-controls={id}
          onClick={() => onToggle(group.key)}
        >
          <IconChevronRight size={18} stroke={1.75} aria-hidden className={classes.chevron} data-opened={opened} />
          <Box component="span" fw={600}>
            {name}
          </Box>
          <Text span flex="none" c="dimmed" size="sm" className="tabular">
            {sessionKinds[kind].counted(group.count)}
          </Text>
          <span className={classes.latest}>
            Latest{' '}
            <time dateTime={group.latest} title={exactTime(group.latest)}>
              {listDate(group.latest)}
            </time>
          </span>
        </UnstyledButton>
      </h2>
      <div id={id} hidden={!opened} className={classes.members}>
        {opened && (
          <SessionLines
            filter={filter}
            groupedBy={by}
            count={group.count}
            empty={null}
            {...(by === 'email' && { only: (item) => (item.userDetails?.email ?? '') === group.key })}
          />
        )}
      </div>
    </section>
  );
}

/** A history in groups with counts. Sessions load when a group is opened. */
export function SessionGroups({ kind, by, search, open, onToggle, empty }: SessionGroupsProps) {
  const { data, error, isLoading, isFetching, refetch } = useSessionGroupsQuery(
    { kind, by, search },
    { refetchOnMountOrArgChange: true },
  );
  useFailureToast(data ? undefined : (error as ApiError | undefined), sessionKinds[kind].messages.loadFailed);

  if (isLoading) return <SessionSkeletons count={4} />;
  const failure = error && { message: (error as ApiError).message, onRetry: refetch, retrying: isFetching };
  if (!data) return failure && <LoadFailure {...failure} />;
  const groups =
    by === 'email' ? data : withKnownTechnology(data.map((group) => ({ ...group, technology: group.key })));
  if (groups.length === 0) return empty;
  return (
    <>
      {failure && <PartFailure mb="md" {...failure} />}
      {groups.map((group) => (
        <Group
          key={group.key}
          group={group}
          opened={open.includes(group.key)}
          onToggle={onToggle}
          kind={kind}
          by={by}
          search={search}
        />
      ))}
    </>
  );
}
